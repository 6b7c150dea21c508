/* JavaScript as it is: a Node that is too old can read it and say so. */

const NODE_MAJOR_MIN = 26

/**
 * What to do where this Node is too old for a command; undefined where it is not.
 *
 * @param {string} command as its user types it
 */
export function tooOldFor(command) {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return undefined
  return `the shop needs Node ${NODE_MAJOR_MIN} and this is v${process.versions.node}: run "npm ci" (it brings one), then "${command}"`
}
