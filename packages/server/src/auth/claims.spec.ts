import { ApiError } from '@countersign/core';
import { expect } from 'chai';
import { toPrincipal } from './claims.js';

const CLAIM_NAMES = { roles: 'roles', groups: 'groups' };

describe('toPrincipal', () => {
  it('should refuse subjects with invisible, control or surrounding space characters', () => {
    for (const sub of [' ada', 'ada ', 'ada\u200b', 'ada\u202e', 'a\0da', 'ada\ud800', 'a\u001b[2J', '\u2028']) {
      expect(() => toPrincipal({ sub }, CLAIM_NAMES), JSON.stringify(sub)).to.throw(ApiError);
    }
    expect(toPrincipal({ sub: 'Ada Łowelace' }, CLAIM_NAMES).actor.id).to.equal('Ada Łowelace');
  });

  it('should read user names, and an e-mail address only if it is verified', () => {
    const names = { ...CLAIM_NAMES, userNames: ['preferred_username', 'email', 'https://example.com/logins'] };
    const getUserNames = (claims: object) => toPrincipal({ sub: 'u-1', ...claims }, names).actor.userNames;
    const mail = { email: 'ada@example.com' };
    expect(getUserNames({ preferred_username: 'ada', ...mail, email_verified: true })).to.deep.equal([
      'ada',
      'ada@example.com',
    ]);
    for (const verifiedClaim of [{ email_verified: 'true' }, { xms_edov: true }, { xms_edov: '1' }])
      expect(getUserNames({ ...mail, ...verifiedClaim })).to.deep.equal(['ada@example.com']);
    for (const unverifiedClaim of [
      {},
      { email_verified: false },
      { email_verified: 'false' },
      { email_verified: null },
    ])
      expect(getUserNames({ ...mail, ...unverifiedClaim })).to.equal(undefined);
    expect(getUserNames({ ...mail, email_verified: false, xms_edov: true })).to.equal(undefined);
    const getTokenUserNames = (claims: object) => toPrincipal({ sub: 'u-1', ...claims }, names).userNames;
    expect([
      getTokenUserNames({}),
      getTokenUserNames(mail),
      getTokenUserNames({ preferred_username: 'ada', typ: 'service' }),
    ]).to.deep.equal([null, [], null]);
    expect(getUserNames({ 'https://example.com/logins': ['a', 'b', 7, 'a', ' c', 'u-1'] })).to.deep.equal(['a', 'b']);
    expect(getUserNames({ preferred_username: 'a\u200bda' })).to.equal(undefined);
    expect(getUserNames({ preferred_username: ['Jos\u0065\u0301'] })).to.deep.equal(['Jos\u00e9']);
    const manyNames = Array.from({ length: 50 }, (_, index) => `login-${index}`);
    expect(getUserNames({ 'https://example.com/logins': manyNames })).to.have.lengthOf(10);
  });

  it('should return user names only for people, and use a user name as the name if the token contains no name', () => {
    const names = { ...CLAIM_NAMES, userNames: ['preferred_username'] };
    expect(toPrincipal({ sub: 'u-1', preferred_username: 'ada' }, CLAIM_NAMES).actor).to.not.have.property('userNames');
    for (const programClaims of [{ typ: 'service' }, { act: { sub: 'x' } }, { client_id: 'u-1' }])
      expect(
        toPrincipal({ sub: 'u-1', preferred_username: 'ada', ...programClaims }, names).actor,
      ).to.not.have.property('userNames');
    const upnClaimNames = { ...CLAIM_NAMES, userNames: ['upn'] };
    expect(toPrincipal({ sub: 'u-1', upn: 'ada@example.com' }, upnClaimNames).actor.name).to.equal('ada@example.com');
    expect(toPrincipal({ sub: 'u-1', upn: 'ada@example.com', name: 'Ada' }, upnClaimNames).actor.name).to.equal('Ada');
  });

  it('should replace characters in names if they cannot be stored or control a terminal', () => {
    const getName = (name: string): string | null => toPrincipal({ sub: 'ada', name }, CLAIM_NAMES).actor.name;
    expect(getName('a\0b\u001b[31m')).to.equal('a b [31m');
    expect(getName(`${'x'.repeat(254)}💩`)).to.satisfy((name: string) => name.isWellFormed());
    expect(getName('\0')).to.equal(null);
    expect(getName('می‌خواهم')).to.equal('می‌خواهم');
  });

  it('should normalize the Unicode form of subjects and groups and refuse invisible characters', () => {
    expect(toPrincipal({ sub: 'Jos\u0065\u0301', groups: ['Caf\u0065\u0301'] }, CLAIM_NAMES))
      .to.deep.include({ groups: ['Caf\u00e9'] })
      .and.nested.include({ 'actor.id': 'Jos\u00e9' });
    for (const invisible of [
      '\ufe0f',
      '\u{e0100}',
      '\u180b',
      '\u3164',
      '\u115f',
      '\u1160',
      '\uffa0',
      '\u034f',
      '\u2800',
      '\u200d',
      '\u00ad',
    ]) {
      expect(() => toPrincipal({ sub: `ada${invisible}` }, CLAIM_NAMES), JSON.stringify(invisible)).to.throw(
        'no usable subject',
      );
      expect(toPrincipal({ sub: 'ada', groups: [`leads${invisible}`, 'c'] }, CLAIM_NAMES).groups).to.deep.equal(['c']);
    }
  });

  it('should treat a string claim as one value unless a separator is configured', () => {
    const claims = { sub: 'ada', roles: 'approver', groups: 'release managers, north' };
    expect(toPrincipal(claims, CLAIM_NAMES)).to.deep.include({
      roles: ['approver'],
      groups: ['release managers, north'],
    });
    expect(toPrincipal({ ...claims, roles: 'viewer admin' }, CLAIM_NAMES)).to.deep.include({
      roles: [],
      role: undefined,
    });
    expect(toPrincipal({ ...claims, roles: 'viewer, admin' }, { ...CLAIM_NAMES, separator: ',' })).to.deep.include({
      roles: ['viewer', 'admin'],
      groups: ['release managers', 'north'],
    });
  });

  it('should treat a token with an actor as an agent on behalf of the subject', () => {
    expect(toPrincipal({ sub: 'ada', roles: ['approver'], act: { sub: 'assistant' } }, CLAIM_NAMES)).to.nested.include({
      'kind': 'agent',
      'actor.type': 'service',
      'actor.onBehalfOf': 'ada',
    });
    expect(toPrincipal({ sub: 'ada', typ: 'agent' }, CLAIM_NAMES)).to.nested.include({ 'actor.onBehalfOf': 'ada' });
  });

  it('should record no "onBehalfOf" for the subject of a service token', () => {
    for (const claims of [
      { sub: 'robot', typ: 'service' },
      { sub: 'robot', client_id: 'robot', act: { sub: 'assistant' } },
    ])
      expect(toPrincipal(claims, CLAIM_NAMES).actor).to.not.have.property('onBehalfOf');
  });

  it('should omit groups that cannot be stored', () => {
    expect(toPrincipal({ sub: 'ada', groups: ['a\0b', 'c', '\ud800'] }, CLAIM_NAMES).groups).to.deep.equal(['c']);
  });

  it('should accept a token whose expiry is beyond the range of dates', () => {
    const { expiresAt } = toPrincipal({ sub: 'ada', exp: 1e15 }, CLAIM_NAMES);
    expect(() => new Date(expiresAt ?? 0).toISOString()).not.to.throw();
  });

  it('should return the time and the strength of the sign-in if the token contains them', () => {
    expect(toPrincipal({ sub: 'ada', auth_time: 1_800_000_000, acr: 'phr' }, CLAIM_NAMES).signIn).to.deep.equal({
      at: 1_800_000_000_000,
      acr: 'phr',
    });
    for (const auth_time of [undefined, '1800000000', -1, 1e15, Number.NaN])
      expect(toPrincipal({ sub: 'ada', auth_time, acr: 1 }, CLAIM_NAMES).signIn).to.deep.equal({ at: null, acr: null });
  });

  it('should recognize tokens that Okta and Entra ID issue to programs', () => {
    expect(toPrincipal({ sub: '0oa1', cid: '0oa1' }, CLAIM_NAMES).kind).to.equal('service');
    expect(toPrincipal({ sub: 'ada@x.example', cid: '0oa1' }, CLAIM_NAMES).kind).to.equal('user');
    expect(toPrincipal({ sub: 'object', oid: 'object', tid: 'tenant' }, CLAIM_NAMES).kind).to.equal('service');
    expect(toPrincipal({ sub: 'pairwise', oid: 'object', tid: 'tenant' }, CLAIM_NAMES).kind).to.equal('user');
  });
});
