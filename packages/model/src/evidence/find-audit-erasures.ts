import { isJsonObject, type JsonObject } from '../json.js';
import { filterPositions } from './pack-members.js';

/**
 * The action of an audit event that records an erasure. In the server's chain, `target.auditEvents` contains the erased
 * positions.
 */
export const ERASURE_ACTION = 'personal_data.erase';

/**
 * Returns the positions in the server's chain whose private part was erased according to these entries. An entry can
 * record only the erasure of earlier entries.
 */
export function findAuditErasures(entries: readonly JsonObject[]): ReadonlySet<number> {
  return new Set(
    entries.flatMap(({ seq, action, result, target }) => {
      if (action !== ERASURE_ACTION || result !== 'ok' || !isJsonObject(target)) return [];
      return filterPositions(target['auditEvents']).filter((position) => position < Number(seq));
    }),
  );
}
