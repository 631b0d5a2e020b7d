/** The roles, from the least to the most privileged. Each role includes the rights of those before it. */
export const ROLES = Object.freeze(['viewer', 'operator', 'approver', 'admin'] as const);

export type Role = (typeof ROLES)[number];

/** The role that a route requires; `anonymous`: none. */
export type RequiredRole = 'anonymous' | Role;

/** Returns whether `value` is the name of a role. Unknown roles in a token are ignored. */
export function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

/** Returns whether a user with the role `actual` (`undefined`: not signed in) has at least the rights of `required`. */
export function hasRole(actual: Role | undefined, required: RequiredRole): boolean {
  if (required === 'anonymous') {
    return true;
  }
  return actual !== undefined && ROLES.indexOf(actual) >= ROLES.indexOf(required);
}

/**
 * Returns the highest of several roles, because a token may contain more than one; `undefined` if none of them is
 * known.
 */
export function findHighestRole(roles: readonly unknown[]): Role | undefined {
  return roles.filter(isRole).sort((a, b) => ROLES.indexOf(b) - ROLES.indexOf(a))[0];
}
