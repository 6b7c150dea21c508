/* JavaScript that Node 18 can read, so that a Node that is too old gets this far. */

const NODE_MAJOR_MIN = 24

/** What this Node lacks; undefined where it is new enough. */
export function tooOld() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return undefined
  return `the shop needs Node ${NODE_MAJOR_MIN} or newer and this is v${process.versions.node}`
}
