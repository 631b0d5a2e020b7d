/** Where data came from that no person vouches for, by the name of the variable: sources such as `webhook`, sorted. Others are not named. */
export type Taints = Readonly<Record<string, readonly string[]>>;

/** Of what a service or an agent gives in a request of its own. */
export const SERVICE_TAINT = 'service';
/** Of what reaches a run from outside by a message or a signal. */
const WEBHOOK_TAINT = 'webhook';
/** A variable has no more sources than that by name; the rest is told as one. */
const MAX_SOURCES = 32;
const OTHERS = 'others';

/** Sources of what is derived from several values: each once, sorted. */
export function unionOf(...sources: readonly (readonly string[])[]): readonly string[] {
  let first: readonly string[] = [];
  let all: Set<string> | undefined;
  for (const some of sources) {
    if (some.length === 0 || some === first) continue;
    if (first.length === 0) first = some;
    else {
      all ??= new Set(first);
      for (const each of some) all.add(each);
    }
  }
  if (all === undefined) return first.length < 2 ? first : bounded(new Set(first));
  return bounded(all);
}

function bounded(sources: ReadonlySet<string>): readonly string[] {
  const all = [...sources].sort();
  return all.length <= MAX_SOURCES
    ? all
    : [...all.filter((each) => each !== OTHERS).slice(0, MAX_SOURCES - 1), OTHERS].sort();
}

/** Every one of some variables from the same sources; `undefined` where there are none. */
export function taintAll(variables: object, sources: readonly string[]): Taints | undefined {
  if (sources.length === 0) return undefined;
  let found: Record<string, readonly string[]> | undefined;
  for (const name of Object.keys(variables)) (found ??= {})[name] = sources;
  return found;
}

/** The sources of one variable. */
export function sourcesOf(taints: Taints | undefined, name: string): readonly string[] {
  return taints !== undefined && Object.hasOwn(taints, name) ? (taints[name] ?? []) : [];
}

/** What of it is about some variables; `undefined` where nothing is. */
export function taintsAmong(taints: Taints | undefined, variables: object): Taints | undefined {
  return overlaid(undefined, variables, taints);
}

/** Taints after some variables were written, with the sources that they have from then on. On the path of every job, so without a copy more than needed. */
export function overlaid(before: Taints | undefined, written: object, taints: Taints | undefined): Taints | undefined {
  if (before === undefined && taints === undefined) return undefined;
  let now: Record<string, readonly string[]> | undefined;
  if (before !== undefined)
    for (const name of Object.keys(before)) if (!Object.hasOwn(written, name)) (now ??= {})[name] = before[name] ?? [];
  if (taints !== undefined) {
    for (const name of Object.keys(taints)) {
      const sources = taints[name] ?? [];
      if (sources.length > 0 && Object.hasOwn(written, name)) (now ??= {})[name] = sources;
    }
  }
  return now;
}

/** Of what came with an event: nobody vouches for what is from outside, and what another run threw is as that run had it. */
export function taintsFromOutside({
  payload,
  taints,
}: {
  readonly payload: object;
  readonly taints?: Taints;
}): Taints | undefined {
  return taints === undefined ? taintAll(payload, [WEBHOOK_TAINT]) : taintsAmong(taints, payload);
}
