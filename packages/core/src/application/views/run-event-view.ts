import {
  canonicalJson,
  getRunEventVersion,
  isJsonObject,
  type JsonObject,
  type RunEvent,
  type RunEventType,
} from '@countersign/model';
import type { Change } from '../../ports/storage.js';
import { toTimestamp } from './to-json-response.js';

export type RunEventView = {
  seq: number;
  at: string;
  type: RunEventType;
  version: number;
  stepId: string | null;
  elementId: string | null;
  actor: string | null;
  data: JsonObject;
  /** Whether people and free text are missing because they were erased. */
  erased: boolean;
  hash: string;
};

/**
 * Builds the view of a run event for readers: public data merged with private data, unless erased. Omits person digests
 * and their salts, which only evidence packs contain.
 */
export function toRunEventView(event: RunEvent): RunEventView {
  const { actor = null, personSalts: _salts, ...rest } = event.private ?? {};
  const { personDigests: _digests, eventVersion: _version, ...data } = event.data;
  return {
    seq: event.seq,
    at: toTimestamp(event.at),
    type: event.type,
    version: getRunEventVersion(event),
    stepId: event.stepId,
    elementId: event.elementId,
    actor: isJsonObject(actor) && typeof actor['id'] === 'string' ? actor['id'] : null,
    data: { ...data, ...rest } as JsonObject,
    erased: event.commitment !== null && event.private === null,
    hash: event.hash,
  };
}

/** Event with everything that its hash covers. */
export type EvidenceEventView = {
  seq: number;
  at: string;
  type: RunEventType;
  stepId: string | null;
  elementId: string | null;
  data: JsonObject;
  private: JsonObject | null;
  salt: string | null;
  commitment: string | null;
  previousHash: string;
  hash: string;
};

export function toEvidenceEventView(event: RunEvent): EvidenceEventView {
  const { seq, at, type, stepId, elementId, data, salt, commitment, previousHash, hash } = event;
  const privateData = event.private as JsonObject | null;
  return {
    seq,
    at: toTimestamp(at),
    type,
    stepId,
    elementId,
    data,
    private: privateData,
    salt,
    commitment,
    previousHash,
    hash,
  };
}

export type ChangeView = {
  at: string;
  type: RunEventType;
  runId: string;
  workflowId: string;
  parentRunId: string | null;
  seq: number;
  stepId: string | null;
  elementId: string | null;
  data: JsonObject;
};

/** Serializes a {@link ChangeView} as JSON, once for all listeners. The data of the change is already serialized. */
export function serializeChange({
  at,
  type,
  runId,
  workflowId,
  parentRunId,
  seq,
  stepId,
  elementId,
  dataText,
}: Change): string {
  return (
    `{"at":"${toTimestamp(at)}","type":"${type}","runId":"${runId}","workflowId":${canonicalJson(workflowId)},"parentRunId":${canonicalJson(parentRunId)},` +
    `"seq":${seq},"stepId":${canonicalJson(stepId)},"elementId":${canonicalJson(elementId)},"data":${dataText}}`
  );
}
