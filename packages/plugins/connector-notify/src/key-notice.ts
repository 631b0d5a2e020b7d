import type { SigningKeyRecord } from '@countersign/core/ports';
import type { Endpoint } from './configuration.js';
import { inStructuredMode, type Message, slackMessage } from './envelope.js';

/** Something that happened to a signing key. */
export interface KeyNotice {
  readonly kind: 'registered' | 'enrolled' | 'revoked';
  readonly key: SigningKeyRecord;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What has happened to a key since a time (ms since the epoch), oldest first. A key that counted at once was only registered. */
export function noticesOf(key: SigningKeyRecord, since: number): KeyNotice[] {
  const { createdAt, enrolment, revokedAt } = key;
  const enrolledAt = enrolment === null || enrolment.at === createdAt ? null : enrolment.at;
  return (
    [
      ['registered', createdAt],
      ['enrolled', enrolledAt],
      ['revoked', revokedAt],
    ] as const
  ).flatMap(([kind, at]) => (at === null || at < since ? [] : [{ kind, key, at }]));
}

/** @param id of the event  @param source of this installation */
export function noticeFor(
  { Id, Kind }: Pick<Endpoint, 'Id' | 'Kind'>,
  notice: KeyNotice,
  id: string,
  source: string,
): Message {
  if (Kind === 'slack') return slackMessage({ endpoint: Id, text: wordsOf(notice), markup: false });
  const { keyId, name, subject, enrolment, revokedBy } = notice.key;
  return inStructuredMode(
    {
      id,
      source,
      type: `countersign.signing_key.${notice.kind}`,
      subject,
      data: {
        person: subject,
        keyId,
        name,
        enrolment: enrolment?.method ?? null,
        ...(notice.kind === 'enrolled' ? { enrolledBy: enrolment?.by ?? null } : {}),
        ...(notice.kind === 'revoked' ? { revokedBy } : {}),
      },
    },
    notice.at,
  );
}

function wordsOf({ kind, key: { name, subject, enrolment, keyId } }: KeyNotice): string {
  const key = `the signing key “${name}” (${keyId})`;
  const unlessThem = `If that was not ${subject}, revoke it under “Signing keys” at once.`;
  switch (kind) {
    case 'registered':
      return enrolment === null
        ? `Someone signed in as ${subject} registered ${key}. Its votes do not count until it is enrolled. ${unlessThem}`
        : `${subject} registered ${key}, and votes that it signs count now. ${unlessThem}`;
    case 'enrolled':
      return `Votes that ${key} of ${subject} signs count now. ${unlessThem}`;
    case 'revoked':
      return `Votes that ${key} of ${subject} signs no longer count: it was revoked.`;
  }
}
