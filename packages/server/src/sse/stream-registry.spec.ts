import { expect } from 'chai';
import { ANONYMOUS, type Principal } from '../auth/principal.js';
import { StreamRegistry } from './stream-registry.js';

const createPrincipal = (id: string): Principal => ({ ...ANONYMOUS, actor: { type: 'user', id, name: null } });
const createStream = (): { end(): void } => ({ end: () => undefined });

describe('StreamRegistry', () => {
  it("should refuse a user's stream beyond the limit per user, but not streams of other users", () => {
    let openCount = 0;
    const streams = new StreamRegistry((count) => (openCount = count));
    const ada = createPrincipal('ada');
    const removers = Array.from({ length: 200 }, () => {
      streams.assertStreamLimit(ada);
      return streams.add(createStream(), ada);
    });
    expect(openCount).to.equal(200);
    expect(() => streams.assertStreamLimit(ada))
      .to.throw()
      .with.property('code', 'rate_limited');
    expect(() => streams.assertStreamLimit(createPrincipal('bob'))).not.to.throw();
    removers[0]?.();
    removers[0]?.();
    expect(openCount).to.equal(199);
    expect(() => streams.assertStreamLimit(ada)).not.to.throw();
  });
});
