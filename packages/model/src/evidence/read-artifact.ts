import type { Json } from '../json.js';
import type { RunEvent } from '../run-event.js';
import { readPerson } from './read-person.js';

/** A version of an artifact as recorded in its event. `null`: the private part with the value is missing. */
export interface ArtifactInHistory {
  readonly artifactId: string;
  readonly name: string | null;
  readonly version: number;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the content in hex. */
  readonly sha256: string;
  readonly contentType: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly createdBy: string | null;
}

/** Reads an `artifact.created` event. */
export function readArtifact(event: Pick<RunEvent, 'at' | 'data' | 'private'>): ArtifactInHistory {
  const { artifactId, version, size, sha256 } = event.data;
  const { name, contentType } = (event.private ?? {}) as Record<string, Json | undefined>;
  return {
    artifactId: String(artifactId),
    name: typeof name === 'string' ? name : null,
    version: Number(version),
    size: Number(size),
    sha256: String(sha256),
    contentType: typeof contentType === 'string' ? contentType : null,
    createdAt: event.at,
    createdBy: readPerson(event)?.id ?? null,
  };
}
