import { expect } from 'chai';
import { GrowingBuffer } from './growing-buffer.js';

describe('GrowingBuffer', () => {
  it('should append many chunks', () => {
    const buffer = new GrowingBuffer();
    const parts = Array.from({ length: 5_000 }, (_, index) => Buffer.from([index % 256]));

    for (const part of parts) buffer.append(part);

    expect(buffer.length).to.equal(5_000);
    expect(buffer.peek().equals(Buffer.concat(parts))).to.equal(true);
  });

  it('should be empty after take(), and not overwrite the bytes that take() returned', () => {
    const buffer = new GrowingBuffer();
    buffer.append(Buffer.from('first'));

    const firstContent = buffer.take();
    buffer.append(Buffer.from('other'));

    expect(firstContent.toString()).to.equal('first');
    expect(buffer.take().toString()).to.equal('other');
    expect(buffer.length).to.equal(0);
  });
});
