/** The roles, from the least to the most; each may do all that those before it may. */
export const ROLES = Object.freeze(['viewer', 'operator', 'approver', 'admin'] as const);

export type Role = (typeof ROLES)[number];

/** What a route asks for: a role, or nothing at all. */
export type RequiredRole = 'anonymous' | Role;

/** Whether `value` is the name of a role; an unknown role in a token counts as none. */
export function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

/** Whether someone of role `actual` (`undefined`: nobody is signed in) may do what needs at least `least`. */
export function hasRole(actual: Role | undefined, least: RequiredRole): boolean {
  if (least === 'anonymous') {
    return true;
  }
  return actual !== undefined && ROLES.indexOf(actual) >= ROLES.indexOf(least);
}

/** The highest of several roles, as a token may carry many; `undefined` where none of them is known. */
export function highestRole(roles: readonly unknown[]): Role | undefined {
  return roles.filter(isRole).sort((a, b) => ROLES.indexOf(b) - ROLES.indexOf(a))[0];
}
