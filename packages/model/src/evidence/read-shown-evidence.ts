import { isJsonObject, type JsonObject } from '../json.js';
import type { ShownEvidence } from '../run-state.js';

/** Evidence that was displayed to a voter. `name` is `null` if the private part of the event is missing. */
export type ShownEvidenceInHistory = Omit<ShownEvidence, 'name'> & { readonly name: string | null };

/**
 * Returns the evidence that was displayed to a voter, from the event of the vote: digests, percentages and downloads
 * are in `data`, names are in the private part. `undefined`: nothing was reported.
 */
export function readShownEvidence({
  data,
  private: privatePart,
}: {
  readonly data: JsonObject;
  readonly private: JsonObject | null;
}): readonly ShownEvidenceInHistory[] | undefined {
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
