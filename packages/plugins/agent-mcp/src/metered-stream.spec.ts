import { expect } from 'chai';
import { Readable } from 'node:stream';
import { MeteredStream, type StreamRates, type LineKind } from './metered-stream.js';

/** Creates an endless stream whose windows the test ends. */
function createMeteredStream(
  rates: Partial<StreamRates>,
  chunk = 'x'.repeat(1_000),
  usedPerChunk = 0,
  kind: LineKind = 'message',
  isTolerated = false,
) {
  let produced = 0;
  const stream = new Readable({
    highWaterMark: 1,
    read() {
      produced += chunk.length;
      this.push(Buffer.from(chunk));
    },
  });
  const observed = { bytes: 0, messages: 0, floods: [] as string[], noises: [] as boolean[] };
  let pendingLines = 0;
  let window: (() => void) | undefined;
  const meter = new MeteredStream(
    stream,
    {
      bytesPerSecond: 1_000_000,
      messagesPerSecond: 1_000_000,
      otherLinesPerSecond: 1_000_000,
      patienceMs: 500,
      ...rates,
    },
    {
      take: ({ length }) => {
        observed.bytes += length;
        pendingLines += usedPerChunk;
      },
      consumeLine: () => {
        if (pendingLines === 0) return undefined;
        pendingLines -= 1;
        observed.messages += 1;
        return kind;
      },
      onFlood: (bound, isNoise) => {
        observed.floods.push(bound);
        observed.noises.push(isNoise);
        return isTolerated;
      },
    },
    (work) => {
      window = work;
      return () => (window = undefined);
    },
  );
  const waitUntilPaused = async (): Promise<void> => {
    for (let tick = 0; tick < 300 && !stream.isPaused(); tick += 1)
      await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    observed,
    stream,
    meter,
    produced: () => produced,
    waitUntilPaused,
    nextWindow: async () => {
      const work = window;
      window = undefined;
      work?.();
      await waitUntilPaused();
    },
    hasWindow: () => window !== undefined,
  };
}

describe('MeteredStream', () => {
  it('should pause the stream after the bytes of a tenth of a second', async () => {
    // given
    const { observed, stream, produced, waitUntilPaused, nextWindow } = createMeteredStream({
      bytesPerSecond: 100_000,
    });

    // when
    await waitUntilPaused();

    // then
    expect(stream.isPaused()).to.equal(true);
    expect(observed.bytes).to.equal(10_000);
    expect(produced()).to.be.at.most(12_000);
    await nextWindow();
    expect(observed.bytes).to.equal(20_000);
    expect(produced()).to.be.at.most(22_000);
  });

  it('should pause the stream after the messages of a tenth of a second, and read the rest in later windows', async () => {
    // given
    const { observed, stream, waitUntilPaused, nextWindow } = createMeteredStream(
      { messagesPerSecond: 100 },
      'x'.repeat(100),
      25,
    );

    // when
    await waitUntilPaused();

    // then
    expect(stream.isPaused()).to.equal(true);
    expect(observed).to.include({ bytes: 100, messages: 10 });
    await nextWindow();
    expect(observed).to.include({ bytes: 100, messages: 20 });
    await nextWindow();
    expect(observed).to.include({ bytes: 200, messages: 30 });
  });

  it('should compensate for a chunk that exceeds the bytes of a window', async () => {
    const { observed, waitUntilPaused, nextWindow } = createMeteredStream(
      { bytesPerSecond: 10_000, patienceMs: 60_000 },
      'x'.repeat(3_500),
    );

    await waitUntilPaused();
    for (let window = 0; window < 99; window += 1) await nextWindow();

    expect(observed.bytes).to.be.within(100_000, 103_500);
  });

  it('should enforce a rate below one message per window', async () => {
    const { observed, waitUntilPaused, nextWindow } = createMeteredStream(
      { messagesPerSecond: 2, patienceMs: 60_000 },
      'x',
      1,
    );

    await waitUntilPaused();
    for (let window = 0; window < 50; window += 1) await nextWindow();

    expect(observed.messages).to.equal(11);
  });

  for (const [bound, rates, kind] of [
    ['bytes', { bytesPerSecond: 100_000 }, 'message'],
    ['messages', { messagesPerSecond: 100 }, 'message'],
    ['messages', { messagesPerSecond: 100 }, 'broken'],
    ['others', { otherLinesPerSecond: 100 }, 'other'],
  ] as const) {
    it(`should report a stream that stays at its limit of ${bound} (${kind}), and stop reading it`, async () => {
      // given
      const { observed, waitUntilPaused, nextWindow, hasWindow } = createMeteredStream(
        rates,
        'x'.repeat(1_000),
        5,
        kind,
      );
      await waitUntilPaused();

      // when
      for (let window = 0; window < 4; window += 1) await nextWindow();

      // then
      expect(observed.floods).to.eql([]);
      await nextWindow();
      expect(observed.floods).to.eql([bound]);
      expect(observed.noises).to.eql([kind !== 'message']);
      const { bytes } = observed;
      await nextWindow();
      expect(observed.bytes).to.equal(bytes);
      expect(hasWindow()).to.equal(false);
    });
  }

  it('should continue to read if the flood is tolerated, and report it again after the same time', async () => {
    // given
    const { observed, waitUntilPaused, nextWindow } = createMeteredStream(
      { otherLinesPerSecond: 100 },
      'x'.repeat(100),
      5,
      'other',
      true,
    );
    await waitUntilPaused();

    // when
    for (let window = 0; window < 11; window += 1) await nextWindow();

    // then
    expect(observed.floods).to.eql(['others', 'others']);
    expect(observed.messages).to.equal(120);
  });

  it('should tolerate a stream that pauses, and stop its timer while the stream pauses', async () => {
    // given
    let chunkCount = 0;
    let floods = 0;
    let window: (() => void) | undefined;
    const stream = new Readable({ read: () => undefined });
    const consumer = {
      take: () => undefined,
      consumeLine: () => undefined,
      onFlood: () => {
        floods += 1;
        return false;
      },
    };
    const rates = { bytesPerSecond: 10_000, messagesPerSecond: 1, otherLinesPerSecond: 1, patienceMs: 300 };
    new MeteredStream(stream, rates, consumer, (work) => {
      window = work;
      return () => (window = undefined);
    });
    const waitForEventLoop = () => new Promise((resolve) => setImmediate(resolve));

    // when
    for (let windowIndex = 0; windowIndex < 20; windowIndex += 1) {
      if (windowIndex % 3 !== 2) {
        stream.push(Buffer.alloc(1_000));
        chunkCount += 1;
      }
      await waitForEventLoop();
      const work = window;
      window = undefined;
      work?.();
      await waitForEventLoop();
    }
    const lastWindow = window as (() => void) | undefined;
    window = undefined;
    lastWindow?.();

    // then
    expect(chunkCount).to.be.greaterThan(10);
    expect(floods).to.equal(0);
    expect(window).to.equal(undefined);
  });
});
