import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { isAlive, until } from '@countersign/model/testing';
import type { OutputBounds } from './output-bounds.js';
import { StdioTransport } from './stdio-transport.js';

const GENEROUS: OutputBounds = {
  bytesPerSecond: 1e9,
  messagesPerSecond: 1e9,
  messageBytes: 1e6,
  stderrBytesPerSecond: 1e9,
  patienceMs: 200,
};
/** Maximum bytes in the socket and the buffers between two processes. */
const ON_THE_WAY = 1_000_000;

/** Writes to a descriptor as fast as it accepts data, and records the number of bytes. */
const writing = (descriptor: number, text: string): string => `
  const { writeSync, writeFileSync } = require('node:fs');
  const text = ${JSON.stringify(text)};
  for (let bytes = 0; ; ) {
    bytes += writeSync(${descriptor}, text);
    writeFileSync(process.argv[1], String(bytes));
  }
`;

describe('StdioTransport', () => {
  let directory: string;
  let open: StdioTransport[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-mcp-'));
    open = [];
  });

  afterEach(async () => {
    await Promise.all(open.map((transport) => transport.close()));
    rmSync(directory, { recursive: true, force: true });
  });

  const noted = () => join(directory, 'noted');
  const written = () => Number(readFileSync(noted(), 'utf8'));

  /** Starts a program and waits for its end. */
  async function ended(
    program: string,
    bounds: Partial<OutputBounds>,
    meanwhile: (transport: StdioTransport, heard: { readonly noise: number; readonly messages: number }) => void = () =>
      undefined,
  ) {
    const messages: JSONRPCMessage[] = [];
    const heard = { messages: 0, errors: 0, stderr: 0, noise: 0 };
    const transport = new StdioTransport({
      command: process.execPath,
      args: ['-e', program, noted()],
      env: {},
      cwd: undefined,
      bounds: { ...GENEROUS, ...bounds },
      onStderr: ({ length }) => void (heard.stderr += length),
      onNoise: () => void (heard.noise += 1),
    });
    open.push(transport);
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
    transport.onmessage = (message) => {
      heard.messages += 1;
      messages.push(message);
    };
    transport.onerror = () => void (heard.errors += 1);
    await transport.start();
    meanwhile(transport, heard);
    await closed;
    return { transport, heard, messages };
  }

  /** A program that writes these lines after it receives a request, and then exits. */
  const answering = (...lines: readonly string[]): string => `
    process.stdin.on('data', (sent) => {
      if (String(sent).includes('"id"')) process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)}, () => process.exit());
    });
  `;
  const ask = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call' }) as const;
  const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}';

  it('should pause and then end a program that writes more bytes than allowed', async () => {
    const { transport } = await ended(writing(1, 'x'.repeat(10_000)), { bytesPerSecond: 100_000, messageBytes: 1e9 });

    expect(transport.ended).to.include({ code: 'mcp_output_exceeded' });
    expect(transport.ended?.message).to.equal(
      'Its program was stopped because for 0.2 s it wrote more than 100000 bytes per second to its standard output (Output:BytesPerSecond).',
    );
    expect(written()).to.be.at.most(ON_THE_WAY);
  });

  it('should read no more messages than allowed, and then end the program', async () => {
    const message = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' })}\n`;

    const { transport, heard } = await ended(writing(1, message.repeat(1_000)), { messagesPerSecond: 100 });

    expect(transport.ended?.message).to.include('100 messages per second (Output:MessagesPerSecond)');
    expect(heard).to.deep.equal({ messages: 20, errors: 0, stderr: 0, noise: 0 });
    expect(written()).to.be.at.most(ON_THE_WAY);
  });

  it('should end a program that writes too much to its standard error', async () => {
    const { transport, heard } = await ended(writing(2, 'an error\n'.repeat(1_000)), { stderrBytesPerSecond: 100_000 });

    expect(transport.ended?.message).to.include(
      '100000 bytes per second to its standard error (Output:StderrBytesPerSecond)',
    );
    expect(heard.stderr).to.be.within(20_000, 200_000);
    expect(written()).to.be.at.most(ON_THE_WAY);
  });

  it('should immediately end a program that writes a message that is too long', async () => {
    const { transport, heard } = await ended(writing(1, `{"jsonrpc":${' '.repeat(10_000)}`), { messageBytes: 50_000 });

    expect(transport.ended?.message).to.equal(
      'Its program was stopped because it wrote a message of more than 50000 bytes (Output:MessageBytes).',
    );
    expect(heard.messages).to.equal(0);
    expect(written()).to.be.at.most(ON_THE_WAY);
  });

  it('should end a program that writes an endless line, because of its byte rate', async () => {
    const { transport, heard } = await ended(writing(1, 'x'.repeat(10_000)), {
      messageBytes: 50_000,
      bytesPerSecond: 100_000,
    });

    expect(transport.ended?.message).to.include('100000 bytes per second to its standard output');
    expect(heard).to.deep.equal({ messages: 0, errors: 0, stderr: 0, noise: 0 });
  });

  for (const begin of ['', '[INFO] ']) {
    it(`should read a response after a line of any length that starts with "${begin}"`, async () => {
      const program = `
        process.stdin.once('data', () => {
          process.stdout.write('${begin}' + 'x'.repeat(1_000_000) + '\\n${RESULT}\\n', () => process.exit());
        });
      `;

      const { transport, messages, heard } = await ended(
        program,
        { messageBytes: 50_000 },
        (sender) => void sender.send(ask(1)),
      );

      expect(transport.ended).to.equal(undefined);
      expect(messages).to.eql([JSON.parse(RESULT)]);
      expect(heard.noise).to.equal(1);
    });
  }

  it('should end a program that continuously writes lines other than messages', async () => {
    const { transport, heard } = await ended(writing(1, 'noise\n'.repeat(1_000)), { messagesPerSecond: 1 });

    expect(transport.ended?.message).to.equal(
      'Its program was stopped because for 0.2 s it wrote more than 100 lines per second to its standard output that are not messages (100 times Output:MessagesPerSecond).',
    );
    expect(heard).to.deep.equal({ messages: 0, errors: 0, stderr: 0, noise: 20 });
  });

  for (const [what, noise, heard] of [
    ['many lines', "'step is done\\n'.repeat(5_000)", 5_000],
    ['a line that is longer than the limit for messages', "'x'.repeat(200_000) + '\\n'", 1],
    ['lines of JSON', `'{"level":"info"}\\n'.repeat(300)`, 300],
    ['a byte-order mark', "'\\ufeff'", 0],
  ] as const) {
    it(`should read a message after ${what}`, async () => {
      const message = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' });

      const { transport, heard: all } = await ended(`process.stdout.write(${noise} + '${message}\\n')`, {
        messageBytes: 50_000,
      });

      expect(transport.ended).to.equal(undefined);
      expect(transport.exit).to.equal('The program ended with exit code 0.');
      expect(all).to.deep.equal({ messages: 1, errors: 0, stderr: 0, noise: heard });
    });
  }

  it('should not end a program because of its noise while a request is pending', async () => {
    // given
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const;
    const given = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } } as const;
    let wasBorneWith = false;

    // when
    const { transport } = await ended(
      writing(1, 'noise\n'.repeat(1_000)),
      { messagesPerSecond: 10, patienceMs: 100 },
      (sender, heard) => {
        void sender.send(asked);
        // Five times the limit.
        void until('it is borne with', () => heard.noise > 500).then(() => {
          wasBorneWith = sender.ended === undefined;
          return sender.send(given);
        });
      },
    );

    // then
    expect(wasBorneWith).to.equal(true);
    expect(transport.ended?.message).to.include('lines per second to its standard output that are not messages');
  });

  it('should accept a response whose id is a string, and then no longer tolerate noise', async () => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const;
    const answer = `require('node:fs').writeSync(1, '{"jsonrpc":"2.0","id":"1","result":{}}\\n');`;
    const program = `process.stdin.once('data', () => { ${answer} ${writing(1, 'noise\n'.repeat(1_000))} });`;

    const { transport, heard } = await ended(program, { messagesPerSecond: 50, patienceMs: 100 }, (sender) => {
      void sender.send(asked);
    });

    expect(transport.ended?.message).to.include('lines per second to its standard output that are not messages');
    expect(heard.messages).to.equal(1);
  });

  for (const [what, lines] of [
    ['a batch', [`[{"jsonrpc":"2.0","method":"notifications/x"}, ${RESULT}]`]],
    ['a batch with values that are not messages', [`[{"a":1}, 7, ${RESULT}]`]],
    ['a message with a null error', [RESULT.replace('}}', '},"error":null}')]],
    ['a line with a byte-order mark', [`\ufeff${RESULT}`]],
  ] as const) {
    it(`should read the response of a program in ${what}`, async () => {
      const { messages } = await ended(answering(...lines), {}, (sender) => void sender.send(ask(1)));

      expect(messages.at(-1)).to.eql(JSON.parse(RESULT));
    });
  }

  it('should count each message in a batch', async () => {
    const batch = `[${Array.from({ length: 1_000 }, () => '{"jsonrpc":"2.0","method":"x"}').join(',')}]\n`;

    const { transport, heard } = await ended(writing(1, batch), { messagesPerSecond: 100 });

    expect(transport.ended?.message).to.include('100 messages per second (Output:MessagesPerSecond)');
    expect(heard.messages).to.equal(20);
  });

  it('should not treat an error without an id as a response', async () => {
    const { messages } = await ended(answering(ERROR), {}, (sender) => void sender.send(ask(1)));

    expect(messages).to.eql([]);
  });

  const write = (text: string): string => `require('node:fs').writeSync(1, ${text});`;
  const NOTE = '{"jsonrpc":"2.0","method":"x"}';
  for (const [what, output, before] of [
    ['is large', write(`'{"jsonrpc":"2.0","id":1,"result":{"text":"' + 'x'.repeat(900_000) + '"}}\\n'`), 0],
    ['follows many other messages', write(`'${NOTE}\\n'.repeat(300) + '${RESULT}\\n'`), 300],
    ['has no line end', write(`'${NOTE}\\n${RESULT}'`), 1],
    ['is a batch without a line end', write(`'[${RESULT},${NOTE}'`) + write("']'"), 0],
  ] as const) {
    it(`should read the response if the last output before the program exits ${what}`, async () => {
      const program = `process.stdin.once('data', () => { ${output} process.exit(); });`;

      const { messages, transport } = await ended(
        program,
        { bytesPerSecond: 8_388_608, messagesPerSecond: 1_000, patienceMs: 5_000 },
        (sender) => void sender.send(ask(1)),
      );

      expect(messages[before]).to.deep.include({ id: 1 });
      expect(transport.exit).to.equal('The program ended with exit code 0.');
    });
  }

  it('should neither use nor log an incomplete message', async () => {
    const { heard } = await ended(`process.stdout.write('${RESULT.slice(0, -2)}', () => process.exit())`, {});

    expect(heard).to.deep.equal({ messages: 0, errors: 0, stderr: 0, noise: 0 });
  });

  /** Exits and leaves a child program running that keeps the output open. */
  const leaving = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
    require('node:fs').writeFileSync(process.argv[1], String(child.pid));
    child.once('spawn', () => process.exit());
  `;

  it('should report the end of a program whose output is still open', async function () {
    if (process.platform === 'win32') this.skip();
    const { transport } = await ended(leaving, {});

    process.kill(written(), 'SIGKILL');
    expect(transport.exit).to.equal('The program ended with exit code 0.');
  });

  it('should report the end immediately when it is closed while the output of the program is still open', async function () {
    if (process.platform === 'win32') this.skip();
    let isTold = false;
    const seen: boolean[] = [];

    await ended(leaving, {}, (sender) => {
      const { onclose } = sender;
      sender.onclose = () => {
        isTold = true;
        onclose?.();
      };
      void until('it has ended', () => sender.exit !== undefined).then(() => {
        seen.push(isTold);
        void sender.close();
        seen.push(isTold);
      });
    });

    process.kill(written(), 'SIGKILL');
    expect(seen).to.eql([false, true]);
  });

  it('should end a program that does not read its input', async () => {
    const message = { jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(1_000_000) } } as const;

    const { transport } = await ended('setInterval(() => undefined, 1_000)', {}, (sender) => {
      for (let sent = 0; sent < 12; sent += 1) void sender.send(message).catch(() => undefined);
    });

    expect(transport.ended?.message).to.equal(
      'Its program was stopped because it left more than 8388608 bytes of its input unread.',
    );
  });

  it('should kill a program that ignores SIGTERM, with its child processes', async function () {
    if (process.platform === 'win32') this.skip();
    const deaf = `
      process.on('SIGTERM', () => undefined);
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1_000)'], { stdio: 'ignore' });
      require('node:fs').writeFileSync(process.argv[1], String(child.pid));
      child.once('spawn', () => process.stdout.write('{' + 'x'.repeat(60_000)));
      setInterval(() => undefined, 1_000);
    `;

    const { transport } = await ended(deaf, { messageBytes: 50_000 });

    expect(transport.ended).to.be.instanceOf(Error);
    expect(await goes(written())).to.equal(true);
  });
});

async function goes(pid: number): Promise<true> {
  return until('the program has ended', () => !isAlive(pid));
}
