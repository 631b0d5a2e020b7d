import type { FeelKind } from '@countersign/feel';

/**
 * The types of a decision's variable that Zeebe 8.6 (dmn-scala) checks a result against; it accepts any result for
 * other types.
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
