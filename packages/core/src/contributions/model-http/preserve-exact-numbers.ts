import { InexactNumberError, parseExactJson, parseInexactAsText } from '@countersign/model';

const [LF, CR] = [10, 13];
/** Matches any number that a double might not represent. Text without a match is not parsed. */
const LONG_NUMBER = /\d[\d.]{15}|\d[eE][+-]?\d/;
const DATA_FIELD = /^data: ?/;

/**
 * Passes an event stream (HTML, 9.2.6) through, but converts JSON numbers that would lose precision to strings. The
 * client libraries parse JSON themselves, and some servers send call arguments as JSON: 12345678901234567890 would be
 * displayed and sent as 12345678901234567000, and 1e400 as null.
 */
export async function* preserveExactNumbers(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pendingChunks: Uint8Array[] = [];
  for await (const chunk of body) {
    const end = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1;
    if (end === 0) {
      pendingChunks.push(chunk);
      continue;
    }
    yield preserveInLines(Buffer.concat([...pendingChunks, chunk.subarray(0, end)]));
    pendingChunks = end === chunk.byteLength ? [] : [chunk.subarray(end)];
  }
  if (pendingChunks.length > 0) yield preserveInLines(Buffer.concat(pendingChunks));
}

/** Returns JSON in which numbers that would lose precision are strings. Returns any other text unchanged. */
export function quoteInexactNumbers(text: string): string {
  if (!LONG_NUMBER.test(text)) return text;
  try {
    parseExactJson(text);
  } catch (error) {
    if (error instanceof InexactNumberError) return JSON.stringify(parseInexactAsText(text));
  }
  return text;
}

function preserveInLines(lines: Buffer): Uint8Array {
  // In UTF-8, digits are single bytes, so Latin-1 is enough for this test.
  if (!LONG_NUMBER.test(lines.toString('latin1'))) return lines;
  const parts = lines.toString().split(/([\r\n]+)/);
  return Buffer.from(parts.map((part) => (DATA_FIELD.test(part) ? preserveInDataLine(part) : part)).join(''));
}

function preserveInDataLine(line: string): string {
  const [field] = DATA_FIELD.exec(line) ?? [''];
  return field + quoteInexactNumbers(line.slice(field.length));
}
