import { expect } from 'chai';
import { preserveExactNumbers, quoteInexactNumbers } from './preserve-exact-numbers.js';

describe('preserveExactNumbers', () => {
  async function* splitBytes(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
    for (let offset = 0; offset < bytes.byteLength; offset += length) yield bytes.subarray(offset, offset + length);
  }
  const convert = async (text: string, length = text.length): Promise<string> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of preserveExactNumbers(splitBytes(Buffer.from(text), length))) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  it('should convert inexact numbers to strings, regardless of how the bytes are split into chunks', async () => {
    const stream = [
      'event: delta\r\ndata: {"id":9007199254740993,"n":1e400,"ü":0.12345678901234567891,"ok":1}\r\n\r\n',
      'data:[-12345678901234567890]\n\n',
      ': 12345678901234567890\n\ndata: [DONE]\n\n',
    ].join('');
    for (const length of [1, 2, 7, 1_000])
      expect(await convert(stream, length)).to.equal(
        [
          'event: delta\r\ndata: {"id":"9007199254740993","n":"1e400","ü":"0.12345678901234567891","ok":1}\r\n\r\n',
          'data:["-12345678901234567890"]\n\n',
          ': 12345678901234567890\n\ndata: [DONE]\n\n',
        ].join(''),
      );
  });

  it('should pass everything else through unchanged, byte for byte', async () => {
    for (const stream of [
      'data: {"a": 0.1, "b":1e3,  "text":"9007199254740993 \\" 1e400"}\n\n',
      'data: {"cut off": 9007199254740993\n\ndata: 9007199254740993}\n\n',
      'data: {"a":1,"a":0.30000000000000004}\r\rno end',
      '\uFEFFdata: x\n\n',
      '',
    ])
      expect(await convert(stream)).to.equal(stream);
  });

  it('should emit a complete line immediately', async () => {
    let release: () => void = () => undefined;
    const remainder = new Promise<void>((resolve) => (release = resolve));
    const events = preserveExactNumbers(
      (async function* () {
        yield Buffer.from('data: 1\n\ndata: ');
        await remainder;
        yield Buffer.from('2\n\n');
      })(),
    );
    expect(Buffer.from((await events.next()).value as Uint8Array).toString()).to.equal('data: 1\n\n');
    release();
    expect(Buffer.from((await events.next()).value as Uint8Array).toString()).to.equal('data: 2\n\n');
  });
});

describe('quoteInexactNumbers', () => {
  it('should not change text that is not JSON', () => {
    for (const text of ['9007199254740993 and more', '{"a":', '<p>1e400</p>'])
      expect(quoteInexactNumbers(text)).to.equal(text);
    expect(quoteInexactNumbers('9007199254740993')).to.equal('"9007199254740993"');
  });
});
