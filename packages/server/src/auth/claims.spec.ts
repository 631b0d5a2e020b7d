import { ApiError } from '@countersign/core';
import { expect } from 'chai';
import { principalOf } from './claims.js';

const NAMES = { roles: 'roles', groups: 'groups' };

describe('principalOf', () => {
  it('should refuse subjects with invisible, control or surrounding space characters', () => {
    for (const sub of [' ada', 'ada ', 'ada\u200b', 'ada\u202e', 'a\0da', 'ada\ud800', 'a\u001b[2J', '\u2028']) {
      expect(() => principalOf({ sub }, NAMES), JSON.stringify(sub)).to.throw(ApiError);
    }
    expect(principalOf({ sub: 'Ada Łowelace' }, NAMES).actor.id).to.equal('Ada Łowelace');
  });

  it('should read user names, and an e-mail address only if it is verified', () => {
    const names = { ...NAMES, userNames: ['preferred_username', 'email', 'https://example.com/logins'] };
    const userNamesOf = (claims: object) => principalOf({ sub: 'u-1', ...claims }, names).actor.userNames;
    const mail = { email: 'ada@example.com' };
    expect(userNamesOf({ preferred_username: 'ada', ...mail, email_verified: true })).to.deep.equal([
      'ada',
      'ada@example.com',
    ]);
    for (const verified of [{ email_verified: 'true' }, { xms_edov: true }, { xms_edov: '1' }])
      expect(userNamesOf({ ...mail, ...verified })).to.deep.equal(['ada@example.com']);
    for (const claimed of [{}, { email_verified: false }, { email_verified: 'false' }, { email_verified: null }])
      expect(userNamesOf({ ...mail, ...claimed })).to.equal(undefined);
    expect(userNamesOf({ ...mail, email_verified: false, xms_edov: true })).to.equal(undefined);
    const inToken = (claims: object) => principalOf({ sub: 'u-1', ...claims }, names).userNames;
    expect([inToken({}), inToken(mail), inToken({ preferred_username: 'ada', typ: 'service' })]).to.deep.equal([
      null,
      [],
      null,
    ]);
    expect(userNamesOf({ 'https://example.com/logins': ['a', 'b', 7, 'a', ' c', 'u-1'] })).to.deep.equal(['a', 'b']);
    expect(userNamesOf({ preferred_username: 'a\u200bda' })).to.equal(undefined);
    expect(userNamesOf({ preferred_username: ['Jos\u0065\u0301'] })).to.deep.equal(['Jos\u00e9']);
    const many = Array.from({ length: 50 }, (_, index) => `login-${index}`);
    expect(userNamesOf({ 'https://example.com/logins': many })).to.have.lengthOf(10);
  });

  it('should give user names to people only, and use a user name as the name when there is no other', () => {
    const names = { ...NAMES, userNames: ['preferred_username'] };
    expect(principalOf({ sub: 'u-1', preferred_username: 'ada' }, NAMES).actor).to.not.have.property('userNames');
    for (const program of [{ typ: 'service' }, { act: { sub: 'x' } }, { client_id: 'u-1' }])
      expect(principalOf({ sub: 'u-1', preferred_username: 'ada', ...program }, names).actor).to.not.have.property(
        'userNames',
      );
    const byUpn = { ...NAMES, userNames: ['upn'] };
    expect(principalOf({ sub: 'u-1', upn: 'ada@example.com' }, byUpn).actor.name).to.equal('ada@example.com');
    expect(principalOf({ sub: 'u-1', upn: 'ada@example.com', name: 'Ada' }, byUpn).actor.name).to.equal('Ada');
  });

  it('should remove characters from names that cannot be stored or control a terminal', () => {
    const nameOf = (name: string): string | null => principalOf({ sub: 'ada', name }, NAMES).actor.name;
    expect(nameOf('a\0b\u001b[31m')).to.equal('a b [31m');
    expect(nameOf(`${'x'.repeat(254)}💩`)).to.satisfy((name: string) => name.isWellFormed());
    expect(nameOf('\0')).to.equal(null);
    expect(nameOf('می‌خواهم')).to.equal('می‌خواهم');
  });

  it('should normalize the Unicode form of subjects and groups and refuse invisible characters', () => {
    expect(principalOf({ sub: 'Jos\u0065\u0301', groups: ['Caf\u0065\u0301'] }, NAMES))
      .to.deep.include({ groups: ['Caf\u00e9'] })
      .and.nested.include({ 'actor.id': 'Jos\u00e9' });
    for (const unseen of [
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
      expect(() => principalOf({ sub: `ada${unseen}` }, NAMES), JSON.stringify(unseen)).to.throw('no usable subject');
      expect(principalOf({ sub: 'ada', groups: [`leads${unseen}`, 'c'] }, NAMES).groups).to.deep.equal(['c']);
    }
  });

  it('should treat a string claim as one value unless a separator is configured', () => {
    const claims = { sub: 'ada', roles: 'approver', groups: 'release managers, north' };
    expect(principalOf(claims, NAMES)).to.deep.include({ roles: ['approver'], groups: ['release managers, north'] });
    expect(principalOf({ ...claims, roles: 'viewer admin' }, NAMES)).to.deep.include({ roles: [], role: undefined });
    expect(principalOf({ ...claims, roles: 'viewer, admin' }, { ...NAMES, separator: ',' })).to.deep.include({
      roles: ['viewer', 'admin'],
      groups: ['release managers', 'north'],
    });
  });

  it('should treat a token with an actor as an agent on behalf of the subject', () => {
    expect(principalOf({ sub: 'ada', roles: ['approver'], act: { sub: 'assistant' } }, NAMES)).to.nested.include({
      'kind': 'agent',
      'actor.type': 'service',
      'actor.onBehalfOf': 'ada',
    });
    expect(principalOf({ sub: 'ada', typ: 'agent' }, NAMES)).to.nested.include({ 'actor.onBehalfOf': 'ada' });
  });

  it('should record no "onBehalfOf" for the subject of a service token', () => {
    for (const claims of [
      { sub: 'robot', typ: 'service' },
      { sub: 'robot', client_id: 'robot', act: { sub: 'assistant' } },
    ])
      expect(principalOf(claims, NAMES).actor).to.not.have.property('onBehalfOf');
  });

  it('should omit groups that cannot be stored', () => {
    expect(principalOf({ sub: 'ada', groups: ['a\0b', 'c', '\ud800'] }, NAMES).groups).to.deep.equal(['c']);
  });

  it('should accept a token whose expiry is beyond the range of dates', () => {
    const { expiresAt } = principalOf({ sub: 'ada', exp: 1e15 }, NAMES);
    expect(() => new Date(expiresAt ?? 0).toISOString()).not.to.throw();
  });

  it('should return the time and the strength of the sign-in if the token contains them', () => {
    expect(principalOf({ sub: 'ada', auth_time: 1_800_000_000, acr: 'phr' }, NAMES).signIn).to.deep.equal({
      at: 1_800_000_000_000,
      acr: 'phr',
    });
    for (const auth_time of [undefined, '1800000000', -1, 1e15, Number.NaN])
      expect(principalOf({ sub: 'ada', auth_time, acr: 1 }, NAMES).signIn).to.deep.equal({ at: null, acr: null });
  });

  it('should recognize tokens that Okta and Entra ID issue to programs', () => {
    expect(principalOf({ sub: '0oa1', cid: '0oa1' }, NAMES).kind).to.equal('service');
    expect(principalOf({ sub: 'ada@x.example', cid: '0oa1' }, NAMES).kind).to.equal('user');
    expect(principalOf({ sub: 'object', oid: 'object', tid: 'tenant' }, NAMES).kind).to.equal('service');
    expect(principalOf({ sub: 'pairwise', oid: 'object', tid: 'tenant' }, NAMES).kind).to.equal('user');
  });
});
