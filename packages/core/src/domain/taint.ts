/** Where data came from that no person vouches for, by the name of the variable: sources such as `webhook`, sorted. Others are not named. */
export type Taints = Readonly<Record<string, readonly string[]>>;

/** Of what reaches a run from outside by a message or a signal. */
const WEBHOOK_TAINT = 'webhook';
/** A variable has no more sources than that by name; the rest is told as one. */
const MAX_SOURCES = 32;
const OTHERS = 'others';

/** Sources of what is derived from several values: each once, sorted. */
export function unionOf(...sources: readonly (readonly string[])[]): readonly string[] {
  const all = [...new Set(sources.flat())].sort();
  return all.length <= MAX_SOURCES ? all : [...all.slice(0, MAX_SOURCES - 1).filter((each) => each !== OTHERS), OTHERS].sort();
}

/** Every one of some variables from the same sources; `undefined` where there are none. */
export function taintAll(variables: object, sources: readonly string[]): Taints | undefined {
  const names = Object.keys(variables);
  return sources.length === 0 || names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, sources]));
}

/** The sources of one variable. */
export function sourcesOf(taints: Taints | undefined, name: string): readonly string[] {
  return taints !== undefined && Object.hasOwn(taints, name) ? (taints[name] ?? []) : [];
}

/** What of it is about some variables; `undefined` where nothing is. */
export function taintsAmong(taints: Taints | undefined, variables: object): Taints | undefined {
  const found = Object.entries(taints ?? {}).filter(([name, sources]) => sources.length > 0 && Object.hasOwn(variables, name));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Taints after some variables were written, with the sources that they have from then on. */
export function overlaid(before: Taints | undefined, written: object, taints: Taints | undefined): Taints | undefined {
  if (before === undefined) return taintsAmong(taints, written);
  const kept = Object.entries(before).filter(([name]) => !Object.hasOwn(written, name));
  const now = { ...Object.fromEntries(kept), ...taintsAmong(taints, written) };
  return Object.keys(now).length === 0 ? undefined : now;
}

/** Of what came with an event: nobody vouches for what is from outside, and what another run threw is as that run had it. */
export function taintsFromOutside({ payload, taints }: { readonly payload: object; readonly taints?: Taints }): Taints | undefined {
  return taints === undefined ? taintAll(payload, [WEBHOOK_TAINT]) : taintsAmong(taints, payload);
}
