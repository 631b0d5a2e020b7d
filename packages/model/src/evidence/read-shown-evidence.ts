import { isJsonObject, type JsonObject } from '../json.js';
import type { ShownEvidence } from '../run-state.js';

/** `name` is `null` if its private part is missing. */
export type ShownInHistory = Omit<ShownEvidence, 'name'> & { readonly name: string | null };

/**
 * Returns the evidence that was displayed to a voter, from the event of the vote: digests and extents are public, names
 * are private. `undefined`: nothing was reported.
 */
export function readShownEvidence({
  data,
  private: privatePart,
}: {
  readonly data: JsonObject;
  readonly private: JsonObject | null;
}): readonly ShownInHistory[] | undefined {
  const { shown } = data;
  if (!Array.isArray(shown)) return undefined;
  const names = privatePart?.['shownNames'];
  return shown.filter(isJsonObject).map(({ sha256, percent, downloaded }, index) => {
    const name = Array.isArray(names) ? names[index] : undefined;
    return {
      name: typeof name === 'string' ? name : null,
      sha256: String(sha256),
      percent: Number(percent),
      downloaded: downloaded === true,
    };
  });
}
