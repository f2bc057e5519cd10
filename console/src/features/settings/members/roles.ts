/** Roles that an invitation may give. Ownership is transferred instead. */
export const ROLES = [
  { value: 'VIEWER', label: 'Viewer' },
  { value: 'EDITOR', label: 'Editor' },
  { value: 'ADMIN', label: 'Admin' },
];
