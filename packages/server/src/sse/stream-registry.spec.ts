import { expect } from 'chai';
import { ANONYMOUS, type Principal } from '../auth/principal.js';
import { StreamRegistry } from './stream-registry.js';

const principal = (id: string): Principal => ({ ...ANONYMOUS, actor: { type: 'user', id, name: null } });
const stream = (): { end(): void } => ({ end: () => undefined });

describe('StreamRegistry', () => {
  it("should refuse a user's stream beyond the limit per user, but not streams of other users", () => {
    let open = 0;
    const streams = new StreamRegistry((count) => (open = count));
    const ada = principal('ada');
    const removes = Array.from({ length: 200 }, () => {
      streams.assertStreamLimit(ada);
      return streams.add(stream(), ada);
    });
    expect(open).to.equal(200);
    expect(() => streams.assertStreamLimit(ada))
      .to.throw()
      .with.property('code', 'rate_limited');
    expect(() => streams.assertStreamLimit(principal('bob'))).not.to.throw();
    removes[0]?.();
    removes[0]?.();
    expect(open).to.equal(199);
    expect(() => streams.assertStreamLimit(ada)).not.to.throw();
  });
});
