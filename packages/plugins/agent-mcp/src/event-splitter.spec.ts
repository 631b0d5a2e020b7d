import { expect } from 'chai';
import { EventSplitter, EventTooLargeError } from './event-splitter.js';

describe('EventSplitter', () => {
  const split = (text: string, size = text.length): string[] => {
    const bytes = Buffer.from(text);
    const splitter = new EventSplitter(1_000);
    const events: string[] = [];
    for (let offset = 0; offset < bytes.length; offset += size)
      events.push(...[...splitter.push(bytes.subarray(offset, offset + size))].map(String));
    return events;
  };
  /** Returns the lines of an event as a parser sees them, independent of line ends. */
  const readLines = (event: string): string[] => event.split(/\r\n|\r|\n/).filter((line) => line !== '');

  for (const [name, end] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ] as const) {
    it(`should return complete events if lines end with ${name}, for any chunk size`, () => {
      const text = [
        'event: message',
        'data: wörld',
        '',
        ': comment',
        '',
        'data: a',
        'data: b',
        '',
        'data: no end',
      ].join(end);

      for (let size = 1; size <= Buffer.byteLength(text); size += 1) {
        const events = split(text, size);

        expect(events.map(readLines), `chunks of ${size} bytes`).to.eql([
          ['event: message', 'data: wörld'],
          [': comment'],
          ['data: a', 'data: b'],
        ]);
        for (const event of events) expect(event).to.match(/(\r\n|\n)\n$/);
      }
    });
  }

  it('should refuse an event that exceeds the limit, complete or not', () => {
    for (const end of ['', '\n\n'])
      expect(() => [...new EventSplitter(10).push(Buffer.from(`data: too long${end}`))]).to.throw(EventTooLargeError);
    expect([...new EventSplitter(10).push(Buffer.from('data: a\n\n'.repeat(100)))]).to.have.length(100);
    expect([...new EventSplitter(10).push(Buffer.from('\n'.repeat(100)))], 'only empty lines').to.eql([]);
  });
});
