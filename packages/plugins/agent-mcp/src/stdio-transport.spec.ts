import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { isProcessAlive, waitUntil } from '@countersign/model/testing';
import type { OutputBounds } from './output-bounds.js';
import { StdioTransport } from './stdio-transport.js';

const GENEROUS_BOUNDS: OutputBounds = {
  bytesPerSecond: 1e9,
  messagesPerSecond: 1e9,
  messageBytes: 1e6,
  stderrBytesPerSecond: 1e9,
  patienceMs: 200,
};
/** Maximum bytes in the socket and the buffers between two processes. */
const MAX_BUFFERED_BYTES = 1_000_000;

/** Returns a program that writes to a descriptor as fast as it accepts data, and records the number of bytes. */
const writingProgram = (descriptor: number, text: string): string => `
  const { writeSync, writeFileSync } = require('node:fs');
  const text = ${JSON.stringify(text)};
  for (let bytes = 0; ; ) {
    bytes += writeSync(${descriptor}, text);
    writeFileSync(process.argv[1], String(bytes));
  }
`;

describe('StdioTransport', () => {
  let directory: string;
  let transports: StdioTransport[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-mcp-'));
    transports = [];
  });

  afterEach(async () => {
    await Promise.all(transports.map((transport) => transport.close()));
    rmSync(directory, { recursive: true, force: true });
  });

  const recordFile = () => join(directory, 'recorded-number');
  const recordedNumber = () => Number(readFileSync(recordFile(), 'utf8'));

  /** Starts a program and waits for its end. */
  async function runUntilEnd(
    program: string,
    bounds: Partial<OutputBounds>,
    whileRunning: (
      transport: StdioTransport,
      counts: { readonly noise: number; readonly messages: number },
    ) => void = () => undefined,
  ) {
    const messages: JSONRPCMessage[] = [];
    const counts = { messages: 0, errors: 0, stderr: 0, noise: 0 };
    const transport = new StdioTransport({
      command: process.execPath,
      args: ['-e', program, recordFile()],
      env: {},
      cwd: undefined,
      bounds: { ...GENEROUS_BOUNDS, ...bounds },
      onStderr: ({ length }) => void (counts.stderr += length),
      onNoise: () => void (counts.noise += 1),
    });
    transports.push(transport);
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
    transport.onmessage = (message) => {
      counts.messages += 1;
      messages.push(message);
    };
    transport.onerror = () => void (counts.errors += 1);
    await transport.start();
    whileRunning(transport, counts);
    await closed;
    return { transport, counts, messages };
  }

  /** Returns a program that writes these lines after it receives a request, and then exits. */
  const respondingProgram = (...lines: readonly string[]): string => `
    process.stdin.on('data', (sent) => {
      if (String(sent).includes('"id"')) process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)}, () => process.exit());
    });
  `;
  const createCall = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call' }) as const;
  const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}';

  it('should pause and then end a program that writes more bytes than allowed', async () => {
    const { transport } = await runUntilEnd(writingProgram(1, 'x'.repeat(10_000)), {
      bytesPerSecond: 100_000,
      messageBytes: 1e9,
    });

    expect(transport.termination).to.include({ code: 'mcp_output_exceeded' });
    expect(transport.termination?.message).to.equal(
      'Its program was stopped because for 0.2 s it wrote more than 100000 bytes per second to its standard output (Output:BytesPerSecond).',
    );
    expect(recordedNumber()).to.be.at.most(MAX_BUFFERED_BYTES);
  });

  it('should read no more messages than allowed, and then end the program', async () => {
    const message = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' })}\n`;

    const { transport, counts } = await runUntilEnd(writingProgram(1, message.repeat(1_000)), {
      messagesPerSecond: 100,
    });

    expect(transport.termination?.message).to.include('100 messages per second (Output:MessagesPerSecond)');
    expect(counts).to.deep.equal({ messages: 20, errors: 0, stderr: 0, noise: 0 });
    expect(recordedNumber()).to.be.at.most(MAX_BUFFERED_BYTES);
  });

  it('should end a program that writes too much to its standard error', async () => {
    const { transport, counts } = await runUntilEnd(writingProgram(2, 'an error\n'.repeat(1_000)), {
      stderrBytesPerSecond: 100_000,
    });

    expect(transport.termination?.message).to.include(
      '100000 bytes per second to its standard error (Output:StderrBytesPerSecond)',
    );
    expect(counts.stderr).to.be.within(20_000, 200_000);
    expect(recordedNumber()).to.be.at.most(MAX_BUFFERED_BYTES);
  });

  it('should immediately end a program that writes a message that is too long', async () => {
    const { transport, counts } = await runUntilEnd(writingProgram(1, `{"jsonrpc":${' '.repeat(10_000)}`), {
      messageBytes: 50_000,
    });

    expect(transport.termination?.message).to.equal(
      'Its program was stopped because it wrote a message of more than 50000 bytes (Output:MessageBytes).',
    );
    expect(counts.messages).to.equal(0);
    expect(recordedNumber()).to.be.at.most(MAX_BUFFERED_BYTES);
  });

  it('should end a program that writes an endless line, because of its byte rate', async () => {
    const { transport, counts } = await runUntilEnd(writingProgram(1, 'x'.repeat(10_000)), {
      messageBytes: 50_000,
      bytesPerSecond: 100_000,
    });

    expect(transport.termination?.message).to.include('100000 bytes per second to its standard output');
    expect(counts).to.deep.equal({ messages: 0, errors: 0, stderr: 0, noise: 0 });
  });

  for (const lineStart of ['', '[INFO] ']) {
    it(`should read a response after a line of any length that starts with "${lineStart}"`, async () => {
      const program = `
        process.stdin.once('data', () => {
          process.stdout.write('${lineStart}' + 'x'.repeat(1_000_000) + '\\n${RESULT}\\n', () => process.exit());
        });
      `;

      const { transport, messages, counts } = await runUntilEnd(
        program,
        { messageBytes: 50_000 },
        (sender) => void sender.send(createCall(1)),
      );

      expect(transport.termination).to.equal(undefined);
      expect(messages).to.eql([JSON.parse(RESULT)]);
      expect(counts.noise).to.equal(1);
    });
  }

  it('should end a program that continuously writes lines other than messages', async () => {
    const { transport, counts } = await runUntilEnd(writingProgram(1, 'noise\n'.repeat(1_000)), {
      messagesPerSecond: 1,
    });

    expect(transport.termination?.message).to.equal(
      'Its program was stopped because for 0.2 s it wrote more than 100 lines per second to its standard output that are not messages (100 times Output:MessagesPerSecond).',
    );
    expect(counts).to.deep.equal({ messages: 0, errors: 0, stderr: 0, noise: 20 });
  });

  for (const [description, noise, noiseCount] of [
    ['many lines', "'step is done\\n'.repeat(5_000)", 5_000],
    ['a line that is longer than the limit for messages', "'x'.repeat(200_000) + '\\n'", 1],
    ['lines of JSON', `'{"level":"info"}\\n'.repeat(300)`, 300],
    ['a byte-order mark', "'\\ufeff'", 0],
  ] as const) {
    it(`should read a message after ${description}`, async () => {
      const message = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' });

      const { transport, counts } = await runUntilEnd(`process.stdout.write(${noise} + '${message}\\n')`, {
        messageBytes: 50_000,
      });

      expect(transport.termination).to.equal(undefined);
      expect(transport.exit).to.equal('The program ended with exit code 0.');
      expect(counts).to.deep.equal({ messages: 1, errors: 0, stderr: 0, noise: noiseCount });
    });
  }

  it('should not end a program because of its noise while a request is pending', async () => {
    // given
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const;
    const cancellation = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } } as const;
    let wasTolerated = false;

    // when
    const { transport } = await runUntilEnd(
      writingProgram(1, 'noise\n'.repeat(1_000)),
      { messagesPerSecond: 10, patienceMs: 100 },
      (sender, counts) => {
        void sender.send(request);
        // Five times the limit.
        void waitUntil('the program has written more than 500 lines of noise', () => counts.noise > 500).then(() => {
          wasTolerated = sender.termination === undefined;
          return sender.send(cancellation);
        });
      },
    );

    // then
    expect(wasTolerated).to.equal(true);
    expect(transport.termination?.message).to.include('lines per second to its standard output that are not messages');
  });

  it('should accept a response whose id is a string, and then no longer tolerate noise', async () => {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const;
    const response = `require('node:fs').writeSync(1, '{"jsonrpc":"2.0","id":"1","result":{}}\\n');`;
    const program = `process.stdin.once('data', () => { ${response} ${writingProgram(1, 'noise\n'.repeat(1_000))} });`;

    const { transport, counts } = await runUntilEnd(program, { messagesPerSecond: 50, patienceMs: 100 }, (sender) => {
      void sender.send(request);
    });

    expect(transport.termination?.message).to.include('lines per second to its standard output that are not messages');
    expect(counts.messages).to.equal(1);
  });

  for (const [description, lines] of [
    ['a batch', [`[{"jsonrpc":"2.0","method":"notifications/x"}, ${RESULT}]`]],
    ['a batch with values that are not messages', [`[{"a":1}, 7, ${RESULT}]`]],
    ['a message with a null error', [RESULT.replace('}}', '},"error":null}')]],
    ['a line with a byte-order mark', [`\ufeff${RESULT}`]],
  ] as const) {
    it(`should read the response of a program in ${description}`, async () => {
      const { messages } = await runUntilEnd(
        respondingProgram(...lines),
        {},
        (sender) => void sender.send(createCall(1)),
      );

      expect(messages.at(-1)).to.eql(JSON.parse(RESULT));
    });
  }

  it('should count each message in a batch', async () => {
    const batch = `[${Array.from({ length: 1_000 }, () => '{"jsonrpc":"2.0","method":"x"}').join(',')}]\n`;

    const { transport, counts } = await runUntilEnd(writingProgram(1, batch), { messagesPerSecond: 100 });

    expect(transport.termination?.message).to.include('100 messages per second (Output:MessagesPerSecond)');
    expect(counts.messages).to.equal(20);
  });

  it('should not treat an error without an id as a response', async () => {
    const { messages } = await runUntilEnd(respondingProgram(ERROR), {}, (sender) => void sender.send(createCall(1)));

    expect(messages).to.eql([]);
  });

  const writeStatement = (text: string): string => `require('node:fs').writeSync(1, ${text});`;
  const NOTIFICATION = '{"jsonrpc":"2.0","method":"x"}';
  for (const [description, output, precedingMessages] of [
    ['is large', writeStatement(`'{"jsonrpc":"2.0","id":1,"result":{"text":"' + 'x'.repeat(900_000) + '"}}\\n'`), 0],
    ['follows many other messages', writeStatement(`'${NOTIFICATION}\\n'.repeat(300) + '${RESULT}\\n'`), 300],
    ['has no line end', writeStatement(`'${NOTIFICATION}\\n${RESULT}'`), 1],
    ['is a batch without a line end', writeStatement(`'[${RESULT},${NOTIFICATION}'`) + writeStatement("']'"), 0],
  ] as const) {
    it(`should read the response if the last output before the program exits ${description}`, async () => {
      const program = `process.stdin.once('data', () => { ${output} process.exit(); });`;

      const { messages, transport } = await runUntilEnd(
        program,
        { bytesPerSecond: 8_388_608, messagesPerSecond: 1_000, patienceMs: 5_000 },
        (sender) => void sender.send(createCall(1)),
      );

      expect(messages[precedingMessages]).to.deep.include({ id: 1 });
      expect(transport.exit).to.equal('The program ended with exit code 0.');
    });
  }

  it('should neither use nor log an incomplete message', async () => {
    const { counts } = await runUntilEnd(`process.stdout.write('${RESULT.slice(0, -2)}', () => process.exit())`, {});

    expect(counts).to.deep.equal({ messages: 0, errors: 0, stderr: 0, noise: 0 });
  });

  /** Program that exits and leaves a child program running that keeps the output open. */
  const programWithChild = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
    require('node:fs').writeFileSync(process.argv[1], String(child.pid));
    child.once('spawn', () => process.exit());
  `;

  it('should report the end of a program whose output is still open', async function () {
    if (process.platform === 'win32') this.skip();
    const { transport } = await runUntilEnd(programWithChild, {});

    process.kill(recordedNumber(), 'SIGKILL');
    expect(transport.exit).to.equal('The program ended with exit code 0.');
  });

  it('should report the end immediately when the transport is closed while the output of the program is still open', async function () {
    if (process.platform === 'win32') this.skip();
    let isClosed = false;
    const observed: boolean[] = [];

    await runUntilEnd(programWithChild, {}, (sender) => {
      const { onclose } = sender;
      sender.onclose = () => {
        isClosed = true;
        onclose?.();
      };
      void waitUntil('the program has exited', () => sender.exit !== undefined).then(() => {
        observed.push(isClosed);
        void sender.close();
        observed.push(isClosed);
      });
    });

    process.kill(recordedNumber(), 'SIGKILL');
    expect(observed).to.eql([false, true]);
  });

  it('should end a program that does not read its input', async () => {
    const message = { jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(1_000_000) } } as const;

    const { transport } = await runUntilEnd('setInterval(() => undefined, 1_000)', {}, (sender) => {
      for (let sent = 0; sent < 12; sent += 1) void sender.send(message).catch(() => undefined);
    });

    expect(transport.termination?.message).to.equal(
      'Its program was stopped because it left more than 8388608 bytes of its input unread.',
    );
  });

  it('should kill a program that ignores SIGTERM, including its child processes', async function () {
    if (process.platform === 'win32') this.skip();
    const stubbornProgram = `
      process.on('SIGTERM', () => undefined);
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1_000)'], { stdio: 'ignore' });
      require('node:fs').writeFileSync(process.argv[1], String(child.pid));
      child.once('spawn', () => process.stdout.write('{' + 'x'.repeat(60_000)));
      setInterval(() => undefined, 1_000);
    `;

    const { transport } = await runUntilEnd(stubbornProgram, { messageBytes: 50_000 });

    expect(transport.termination).to.be.instanceOf(Error);
    expect(await waitUntilEnded(recordedNumber())).to.equal(true);
  });
});

async function waitUntilEnded(pid: number): Promise<true> {
  return waitUntil('the program has ended', () => !isProcessAlive(pid));
}
