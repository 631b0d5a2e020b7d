import type { DevelopmentUser } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';

/** Returns the name of a development user as one line. It may come from an approval, so it is untrusted. */
export function getUserName({ name, subject }: Pick<DevelopmentUser, 'name' | 'subject'>): string {
  return toOneLine(name ?? subject, 60);
}

/** Returns the role and the groups of a development user, as in "Approver, treasury". */
export function describeUser({ role, groups }: DevelopmentUser): string {
  return toOneLine([texts.roles[role], ...groups].join(', '), 100);
}
