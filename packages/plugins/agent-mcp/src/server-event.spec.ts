import { expect } from 'chai';
import { parseEvent } from './server-event.js';

describe('parseEvent', () => {
  it('should read the data and the id of an event', () => {
    expect(parseEvent('id: 7\r\ndata: a\r\ndata:b\r\n: comment\r\n\r\n')).to.eql({ data: 'a\nb', id: '7' });
  });

  for (const [description, id] of [
    ['empty', ''],
    ['too long', 'x'.repeat(1_001)],
    ['not valid', 'a\0'],
  ] as const) {
    it(`should ignore an id that is ${description}`, () => {
      expect(parseEvent(`id: ${id}\ndata: a\n\n`)).to.eql({ data: 'a', id: undefined });
    });
  }
});
