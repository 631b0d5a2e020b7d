import type { SigningKeyRecord } from '@countersign/core/ports';
import { expect } from 'chai';
import { HTTP, type CloudEvent } from 'cloudevents';
import { noticeFor, noticesOf } from './key-notice.js';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const ID = '019aa000-0000-7000-8000-00000000000a';
const key = (more: Partial<SigningKeyRecord> = {}): SigningKeyRecord => ({
  keyId: 'thumbprint',
  subject: 'ada',
  name: 'Laptop <!channel>',
  publicKey: 'x',
  proof: 'jws',
  createdAt: AT,
  enrolment: null,
  countersignature: null,
  lastUsedAt: null,
  revokedAt: null,
  revokedBy: null,
  ...more,
});
const kinds = (more: Partial<SigningKeyRecord>, since = AT) => noticesOf(key(more), since).map(({ kind }) => kind);

describe('notices of signing keys', () => {
  it('should report changes since a given time in order, and an immediate enrolment only as a registration', () => {
    const admin = { method: 'admin', by: 'root', at: AT + 1 } as const;
    expect(kinds({})).to.deep.equal(['registered']);
    expect(kinds({ enrolment: { method: 'sign_in', by: null, at: AT } })).to.deep.equal(['registered']);
    expect(kinds({ enrolment: admin, revokedAt: AT + 2 })).to.deep.equal(['registered', 'enrolled', 'revoked']);
    expect(kinds({ enrolment: admin, revokedAt: AT + 2 }, AT + 2)).to.deep.equal(['revoked']);
    expect(kinds({}, AT + 1)).to.deep.equal([]);
  });

  it('should be CloudEvents about the owner of the key', () => {
    const [notice] = noticesOf(key(), AT);
    const { contentType, body } = noticeFor({ Id: 'desk', Kind: 'webhook' }, notice!, ID, '/countersign');
    const event = HTTP.toEvent({ headers: { 'content-type': contentType }, body }) as CloudEvent<unknown>;
    event.validate();
    expect(event.toJSON()).to.deep.include({
      id: ID,
      source: '/countersign',
      type: 'countersign.signing_key.registered',
      subject: 'ada',
      time: '2026-01-02T03:04:05.006Z',
      data: { person: 'ada', keyId: 'thumbprint', name: 'Laptop <!channel>', enrolment: null },
    });
  });

  it('should explain the effect on votes in a Slack message, with escaped markup', () => {
    const said = (more: Partial<SigningKeyRecord>): string[] =>
      noticesOf(key(more), AT).map(
        (notice) =>
          (JSON.parse(noticeFor({ Id: 'chat', Kind: 'slack' }, notice, ID, '/').body) as { text: string }).text,
      );
    const [registered] = said({});
    expect(registered)
      .to.contain('do not count until it is enrolled')
      .and.contain('revoke it')
      .and.contain('&lt;!channel&gt;');
    expect(said({ enrolment: { method: 'sign_in', by: null, at: AT } })[0]).to.contain('now count');
    const [first, enrolled, revoked] = said({
      enrolment: { method: 'admin', by: 'root', at: AT + 1 },
      revokedAt: AT + 2,
    });
    expect(first, 'as it was then').to.equal(registered);
    expect(enrolled).to.contain('now count');
    expect(revoked).to.contain('no longer count');
  });
});
