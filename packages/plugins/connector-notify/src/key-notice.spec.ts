import type { SigningKeyRecord } from '@countersign/core/ports';
import { expect } from 'chai';
import { HTTP, type CloudEvent } from 'cloudevents';
import { buildNoticeMessage, listNotices } from './key-notice.js';

const CREATED_AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const EVENT_ID = '019aa000-0000-7000-8000-00000000000a';
const createKey = (overrides: Partial<SigningKeyRecord> = {}): SigningKeyRecord => ({
  keyId: 'thumbprint',
  subject: 'ada',
  name: 'Laptop <!channel>',
  publicKey: 'x',
  proof: 'jws',
  createdAt: CREATED_AT,
  enrolment: null,
  countersignature: null,
  lastUsedAt: null,
  revokedAt: null,
  revokedBy: null,
  ...overrides,
});
const noticeKinds = (overrides: Partial<SigningKeyRecord>, since = CREATED_AT) =>
  listNotices(createKey(overrides), since).map(({ kind }) => kind);

describe('notices of signing keys', () => {
  it('should report changes since a given time in order, and an immediate enrolment only as a registration', () => {
    const admin = { method: 'admin', by: 'root', at: CREATED_AT + 1 } as const;
    expect(noticeKinds({})).to.deep.equal(['registered']);
    expect(noticeKinds({ enrolment: { method: 'sign_in', by: null, at: CREATED_AT } })).to.deep.equal(['registered']);
    expect(noticeKinds({ enrolment: admin, revokedAt: CREATED_AT + 2 })).to.deep.equal([
      'registered',
      'enrolled',
      'revoked',
    ]);
    expect(noticeKinds({ enrolment: admin, revokedAt: CREATED_AT + 2 }, CREATED_AT + 2)).to.deep.equal(['revoked']);
    expect(noticeKinds({}, CREATED_AT + 1)).to.deep.equal([]);
  });

  it('should be CloudEvents about the owner of the key', () => {
    const [notice] = listNotices(createKey(), CREATED_AT);
    const { contentType, body } = buildNoticeMessage(
      { Id: 'desk', Kind: 'webhook' },
      notice!,
      EVENT_ID,
      '/countersign',
    );
    const event = HTTP.toEvent({ headers: { 'content-type': contentType }, body }) as CloudEvent<unknown>;
    event.validate();
    expect(event.toJSON()).to.deep.include({
      id: EVENT_ID,
      source: '/countersign',
      type: 'countersign.signing_key.registered',
      subject: 'ada',
      time: '2026-01-02T03:04:05.006Z',
      data: { person: 'ada', keyId: 'thumbprint', name: 'Laptop <!channel>', enrolment: null },
    });
  });

  it('should explain the effect on votes in a Slack message, with escaped markup', () => {
    const slackTexts = (overrides: Partial<SigningKeyRecord>): string[] =>
      listNotices(createKey(overrides), CREATED_AT).map(
        (notice) =>
          (
            JSON.parse(buildNoticeMessage({ Id: 'chat', Kind: 'slack' }, notice, EVENT_ID, '/').body) as {
              text: string;
            }
          ).text,
      );
    const [registered] = slackTexts({});
    expect(registered)
      .to.contain('do not count until it is enrolled')
      .and.contain('revoke it')
      .and.contain('&lt;!channel&gt;');
    expect(slackTexts({ enrolment: { method: 'sign_in', by: null, at: CREATED_AT } })[0]).to.contain('now count');
    const [registeredLater, enrolled, revoked] = slackTexts({
      enrolment: { method: 'admin', by: 'root', at: CREATED_AT + 1 },
      revokedAt: CREATED_AT + 2,
    });
    expect(registeredLater, 'unaffected by later changes').to.equal(registered);
    expect(enrolled).to.contain('now count');
    expect(revoked).to.contain('no longer count');
  });
});
