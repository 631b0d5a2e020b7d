import type { User, UserGroup } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';

const t = texts.people;

/** A user or a group to choose. */
export interface Choice {
  /** What the request names. */
  readonly value: string;
  /** What else identifies it, such as the id of a user. */
  readonly otherNames: readonly string[];
  readonly name: string;
  /** What distinguishes it from others with the same name; empty if nothing does. */
  readonly detail: string;
  /** Why it cannot be chosen; `undefined` if it can. */
  readonly obstacle: string | undefined;
}

/** @param findObstacle returns why a user cannot be chosen */
export function toUserChoice(user: User, findObstacle: (user: User) => string | undefined): Choice {
  const value = user.userName ?? user.id;
  const name = toOneLine(user.name ?? value, 80);
  return {
    value,
    otherNames: [user.id],
    name,
    detail: name === value ? '' : toOneLine(value, 80),
    obstacle: user.mayDecide ? findObstacle(user) : t.mayNotDecide,
  };
}

export function toGroupChoice({ name, deciders }: UserGroup): Choice {
  return { value: name, otherNames: [], name: toOneLine(name, 80), detail: t.deciders(deciders), obstacle: undefined };
}

/** Returns whether all words of a search occur in what is shown of a choice. */
export function matchesSearch({ name, detail }: Choice, search: string): boolean {
  const text = `${name} ${detail}`.normalize('NFC').toLowerCase();
  return search
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns whether a text is a whole name of a choice. User names are compared without regard to case. */
export function isNameOfChoice({ value, otherNames }: Choice, text: string): boolean {
  return value.toLowerCase() === text.toLowerCase() || otherNames.includes(text);
}
