import { expect } from 'chai';
import { ANONYMOUS, type Principal } from '../auth/principal.js';
import { OpenStreams } from './open-streams.js';

const principal = (id: string): Principal => ({ ...ANONYMOUS, actor: { type: 'user', id, name: null } });
const stream = (): { end(): void } => ({ end: () => undefined });

describe('OpenStreams', () => {
  it('should let nobody hold streams without end, and others have theirs', () => {
    let open = 0;
    const streams = new OpenStreams((count) => (open = count));
    const ada = principal('ada');
    const removes = Array.from({ length: 200 }, () => {
      streams.expectRoom(ada);
      return streams.add(stream(), ada);
    });
    expect(open).to.equal(200);
    expect(() => streams.expectRoom(ada))
      .to.throw()
      .with.property('code', 'rate_limited');
    expect(() => streams.expectRoom(principal('bob'))).not.to.throw();
    removes[0]?.();
    removes[0]?.();
    expect(open).to.equal(199);
    expect(() => streams.expectRoom(ada)).not.to.throw();
  });
});
