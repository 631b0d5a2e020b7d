import type { ServiceIdentifier } from 'inversify';

/** A session that its issuer has ended; tokens of it are refused. */
export interface EndedSession {
  /** Digest of what names the session, or the person. */
  readonly key: string;
  /** Tokens that were issued until then are refused. Milliseconds since the epoch. */
  readonly endedAt: number;
  /** From then on such tokens are refused for their age. Milliseconds since the epoch. */
  readonly keptUntil: number;
}

/** Sessions that an issuer has ended before their tokens end, for all servers on the database. */
export interface EndedSessionsStore {
  /**
   * Ends sessions, unless the message that asks for it was taken before.
   *
   * @param message digest of what names the message
   * @returns whether it is new
   */
  endSessions(message: string, sessions: readonly EndedSession[]): Promise<boolean>;
  /**
   * Those that were ended since a position, and perhaps some from shortly before.
   *
   * @param position `null`: all that are kept
   */
  endedSince(
    position: number | null,
  ): Promise<{ readonly sessions: readonly EndedSession[]; readonly position: number }>;
}

export const EndedSessionsStore: ServiceIdentifier<EndedSessionsStore> = Symbol.for(
  '@countersign/core:EndedSessionsStore',
);
