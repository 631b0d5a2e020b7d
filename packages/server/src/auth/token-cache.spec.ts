import { expect } from 'chai';
import { ANONYMOUS, type Principal } from './principal.js';
import { TokenCache } from './token-cache.js';

describe('TokenCache', () => {
  const createPrincipal = (id: string, expiresAt: number | null = null): Principal => ({
    ...ANONYMOUS,
    actor: { type: 'user', id, name: null, groups: [] },
    expiresAt,
  });

  it('should evict the least recently used entry when a new one exceeds the capacity', () => {
    const cache = new TokenCache(2);
    cache.set('a', createPrincipal('a'), 0);
    cache.set('b', createPrincipal('b'), 0);
    cache.get('a', 0);
    cache.set('c', createPrincipal('c'), 0);
    expect(['a', 'b', 'c'].filter((key) => cache.get(key, 0) !== undefined)).to.deep.equal(['a', 'c']);
  });

  it('should evict no other entry when an entry is replaced', () => {
    const cache = new TokenCache(2);
    cache.set('a', createPrincipal('a'), 0);
    cache.set('b', createPrincipal('b'), 0);
    const replacement = createPrincipal('b');
    cache.set('b', replacement, 0);
    expect([cache.get('a', 0) !== undefined, cache.get('b', 0)]).to.deep.equal([true, replacement]);
  });

  it('should return no entry whose token has expired', () => {
    const cache = new TokenCache();
    cache.set('a', createPrincipal('a', 1_000), 0);
    expect([cache.get('a', 999) !== undefined, cache.get('a', 1_000)]).to.deep.equal([true, undefined]);
  });
});
