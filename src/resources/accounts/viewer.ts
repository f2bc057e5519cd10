/** Who asks: the first argument of every service method. */
export interface Viewer {
  userId: number;
  /** Administrators of the service may do all that an owner may. */
  isAdmin: boolean;
  via: 'key' | 'jwt' | 'operator';
}
