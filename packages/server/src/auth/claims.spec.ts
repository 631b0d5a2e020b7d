import { CountersignError } from '@countersign/core';
import { expect } from 'chai';
import { principalOf } from './claims.js';

const NAMES = { roles: 'roles', groups: 'groups' };

describe('principalOf', () => {
  it('should refuse subjects that look like others, and such that can not be stored', () => {
    for (const sub of [' ada', 'ada ', 'ada\u200b', 'ada\u202e', 'a\0da', 'ada\ud800', 'a\u001b[2J', '\u2028']) {
      expect(() => principalOf({ sub }, NAMES), JSON.stringify(sub)).to.throw(CountersignError);
    }
    expect(principalOf({ sub: 'Ada Łowelace' }, NAMES).actor.id).to.equal('Ada Łowelace');
  });

  it('should take from names what can not be stored, and what acts in a terminal', () => {
    const nameOf = (name: string): string | null => principalOf({ sub: 'ada', name }, NAMES).actor.name;
    expect(nameOf('a\0b\u001b[31m')).to.equal('a b [31m');
    expect(nameOf(`${'x'.repeat(254)}💩`)).to.satisfy((name: string) => name.isWellFormed());
    expect(nameOf('\0')).to.equal(null);
    expect(nameOf('می‌خواهم')).to.equal('می‌خواهم');
  });

  it('should leave out groups that can not be stored', () => {
    expect(principalOf({ sub: 'ada', groups: ['a\0b', 'c', '\ud800'] }, NAMES).groups).to.deep.equal(['c']);
  });

  it('should take a token that ends after the end of time', () => {
    const { expiresAt } = principalOf({ sub: 'ada', exp: 1e15 }, NAMES);
    expect(() => new Date(expiresAt ?? 0).toISOString()).not.to.throw();
  });

  it('should know programs that Okta and Entra ID issue tokens to', () => {
    expect(principalOf({ sub: '0oa1', cid: '0oa1' }, NAMES).kind).to.equal('service');
    expect(principalOf({ sub: 'ada@x.example', cid: '0oa1' }, NAMES).kind).to.equal('user');
    expect(principalOf({ sub: 'object', oid: 'object', tid: 'tenant' }, NAMES).kind).to.equal('service');
    expect(principalOf({ sub: 'pairwise', oid: 'object', tid: 'tenant' }, NAMES).kind).to.equal('user');
  });
});
