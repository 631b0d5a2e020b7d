import { isJsonObject, type JsonObject } from '../json.js';
import { stringOr } from './pack-members.js';
import type { HistoryEvent } from './recorded-facts.js';

/** Converts an event of an evidence pack. */
export function toHistoryEvent({ seq, at, type, data, private: privatePart }: JsonObject): HistoryEvent {
  return {
    seq: Number(seq),
    at: Date.parse(stringOr(at, '')),
    type: stringOr(type, ''),
    data: isJsonObject(data) ? data : {},
    private: isJsonObject(privatePart) ? privatePart : null,
  };
}
