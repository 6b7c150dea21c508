/** Some fields with new values. */
export type Changes<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined }

/** The given fields whose values differ; undefined if none do. */
export function changedFields<Fields extends object>(
  current: Partial<Fields>,
  changes: Changes<Fields>,
): Partial<Fields> | undefined {
  const different = Object.entries(changes).filter(
    ([field, value]) => value !== undefined && current[field as keyof Fields] !== value,
  )
  return different.length === 0 ? undefined : (Object.fromEntries(different) as Partial<Fields>)
}

export function withChanges<Fields extends object>(fields: Fields, changes: Changes<Fields>): Fields {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return { ...fields, ...given }
}
