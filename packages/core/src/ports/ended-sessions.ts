import type { ServiceIdentifier } from 'inversify';

/** A session that its issuer ended; the server refuses its tokens. */
export interface EndedSession {
  /** Digest of the session id or of the person. */
  readonly key: string;
  /** Tokens issued up to this time are refused. In ms since the epoch. */
  readonly endedAt: number;
  /** Time by which all such tokens have expired, in ms since the epoch. */
  readonly keptUntil: number;
}

/** Stores the sessions that an issuer ended before their tokens expire, for all servers on the database. */
export interface EndedSessionsStore {
  /**
   * Ends sessions, unless the logout message was processed before.
   *
   * @param message digest that identifies the message
   * @returns whether the message is new
   */
  endSessions(message: string, sessions: readonly EndedSession[]): Promise<boolean>;
  /**
   * Returns the sessions that were ended since a position, and possibly some from shortly before.
   *
   * @param position `null` for all stored sessions
   */
  listEndedSince(
    position: number | null,
  ): Promise<{ readonly sessions: readonly EndedSession[]; readonly position: number }>;
}

export const EndedSessionsStore: ServiceIdentifier<EndedSessionsStore> = Symbol.for(
  '@countersign/core:EndedSessionsStore',
);
