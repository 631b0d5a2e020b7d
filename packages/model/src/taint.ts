/** Sources of untrusted data, such as `webhook`, sorted, by variable name. Trusted variables have no entry. */
export type Taints = Readonly<Record<string, readonly string[]>>;

/** Source of data that a service or an agent sends in its own request. */
export const SERVICE_TAINT = 'service';
/** Source of data that reaches a run from outside in a message or a signal. */
const WEBHOOK_TAINT = 'webhook';
/** Maximum number of named sources of a variable; the rest are combined into one. */
const MAX_SOURCES = 32;
const OTHER_SOURCES = 'others';

/** Returns the sources of a value derived from several values: each once, sorted. */
export function mergeTaintSources(...sources: readonly (readonly string[])[]): readonly string[] {
  let first: readonly string[] = [];
  let all: Set<string> | undefined;
  for (const list of sources) {
    if (list.length === 0 || list === first) continue;
    if (first.length === 0) first = list;
    else {
      all ??= new Set(first);
      for (const each of list) all.add(each);
    }
  }
  if (all === undefined) return first.length < 2 ? first : limitSources(new Set(first));
  return limitSources(all);
}

function limitSources(sources: ReadonlySet<string>): readonly string[] {
  const all = [...sources].sort();
  return all.length <= MAX_SOURCES
    ? all
    : [...all.filter((each) => each !== OTHER_SOURCES).slice(0, MAX_SOURCES - 1), OTHER_SOURCES].sort();
}

/**
 * Returns taints that assign the same sources to every variable; `undefined` if there are no sources or no variables.
 */
export function taintAll(variables: object, sources: readonly string[]): Taints | undefined {
  if (sources.length === 0) return undefined;
  let taints: Record<string, readonly string[]> | undefined;
  for (const name of Object.keys(variables)) (taints ??= {})[name] = sources;
  return taints;
}

/** Returns the sources of one variable. */
export function getTaintSources(taints: Taints | undefined, name: string): readonly string[] {
  return taints !== undefined && Object.hasOwn(taints, name) ? (taints[name] ?? []) : [];
}

/** Returns the taints of some variables; `undefined` if none of them is tainted. */
export function filterTaints(taints: Taints | undefined, variables: object): Taints | undefined {
  return overlayTaints(undefined, variables, taints);
}

/**
 * Returns the taints after some variables were written with new sources. This function is called for every job, so it
 * avoids unnecessary copies.
 */
export function overlayTaints(
  before: Taints | undefined,
  written: object,
  taints: Taints | undefined,
): Taints | undefined {
  if (before === undefined && taints === undefined) return undefined;
  let merged: Record<string, readonly string[]> | undefined;
  if (before !== undefined)
    for (const name of Object.keys(before))
      if (!Object.hasOwn(written, name)) (merged ??= {})[name] = before[name] ?? [];
  if (taints !== undefined) {
    for (const name of Object.keys(taints)) {
      const sources = taints[name] ?? [];
      if (sources.length > 0 && Object.hasOwn(written, name)) (merged ??= {})[name] = sources;
    }
  }
  return merged;
}

/**
 * Returns the taints of an event's payload: data from outside is untrusted, and data that another run threw keeps the
 * taints of that run.
 */
export function resolveExternalTaints({
  payload,
  taints,
}: {
  readonly payload: object;
  readonly taints?: Taints;
}): Taints | undefined {
  return taints === undefined ? taintAll(payload, [WEBHOOK_TAINT]) : filterTaints(taints, payload);
}
