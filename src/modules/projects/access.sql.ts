/**
 * SQL that yields the viewer's role in the project of `projectColumn`, null for a stranger. `user` and `admin` are the
 * placeholders of the viewer's id and administrator flag. The alias inside must not be one of the statement around it.
 */
export function roleSql(projectColumn: string, user: string, admin: string): string {
  return `case when ${admin} then 'owner' else
    (select viewers_part.role from project_member viewers_part
      where viewers_part.project_id = ${projectColumn} and viewers_part.user_id = ${user}) end`;
}

/** SQL condition: the project of `projectColumn` is the viewer's to see. */
export function visibleSql(projectColumn: string, user: string, admin: string): string {
  return `(${admin} or exists (select 1 from project_member viewers_part
    where viewers_part.project_id = ${projectColumn} and viewers_part.user_id = ${user}))`;
}
