import type { FeelKind } from '@countersign/feel';

/**
 * The types of a DMN decision's variable against which Zeebe 8.6 (dmn-scala) checks a result. For other types, Zeebe
 * accepts any result.
 */
const FEEL_KINDS: ReadonlyMap<string, FeelKind> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['time', 'time'],
  ['date', 'date'],
  ['dateTime', 'date and time'],
  ['dayTimeDuration', 'days and time duration'],
  ['yearMonthDuration', 'years and months duration'],
]);

export function toResultKind(typeRef: string | undefined): FeelKind | undefined {
  return typeRef === undefined ? undefined : FEEL_KINDS.get(typeRef.trim().replace(/^feel:/, ''));
}
