import type { DevelopmentUser } from '@countersign/contract';
import { texts } from '../texts/index.js';

/** Returns the name of a development user. */
export function getUserName({ name, subject }: Pick<DevelopmentUser, 'name' | 'subject'>): string {
  return name ?? subject;
}

/** Returns the role and the groups of a development user, as in "Approver, treasury". */
export function describeUser({ role, groups }: DevelopmentUser): string {
  return [texts.roles[role], ...groups].join(', ');
}
