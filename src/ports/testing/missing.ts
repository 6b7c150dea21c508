/** Why a suite cannot run on this machine; undefined where it can. */
export type Missing = string | undefined

/** In the title of a suite that is skipped, before the reason. */
export const SKIPPED = '(skipped: '

export const withoutFileModes: Missing = process.platform === 'win32' ? 'Windows has no POSIX file modes' : undefined

/** Undefined where the environment names the server. */
export function notSet(name: string): Missing {
  return process.env[name] ? undefined : `${name} is not set`
}
