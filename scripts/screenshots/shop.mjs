// A small repository with a history that reads like one: what the releases in the screenshots are of. It is the same on
// every machine, and lies where no work tree or submodule is in its way.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ADA = ['Ada Lindqvist', 'ada@shop.example'];
const DANA = ['Dana Brandt', 'dana@shop.example'];

const rounding = (body) => `/** Money is whole cents; see docs/money.md. */\n${body}`;

/** Oldest first: by whom, what it says, and what it leaves in the files it touches. */
const COMMITS = [
  [
    ADA,
    'feat: a basket with lines',
    {
      'README.md': '# Shop\n\nBaskets, orders and invoices.\n',
      'src/basket.js':
        'export function total(lines) {\n  return lines.reduce((sum, { price, count }) => sum + price * count, 0);\n}\n',
    },
  ],
  [
    DANA,
    'feat: discounts by code',
    {
      'src/discount.js':
        'const CODES = new Map([["WELCOME", 10], ["STAFF", 30]]);\n\nexport function discountOf(code) {\n  return CODES.get(code) ?? 0;\n}\n',
    },
  ],
  [
    ADA,
    'fix: a total is rounded once, at its end',
    {
      'src/round.js': rounding('export const round = (amount) => Math.round(amount * 100) / 100;\n'),
      'src/basket.js':
        'import { round } from "./round.js";\n\nexport function total(lines) {\n  return round(lines.reduce((sum, { price, count }) => sum + price * count, 0));\n}\n',
    },
  ],
  [
    DANA,
    'feat: orders are stored with their currency',
    {
      'migrations/004-currency.sql': "ALTER TABLE orders ADD COLUMN currency char(3) NOT NULL DEFAULT 'EUR';\n",
      'src/order.js':
        'export async function store(database, { id, lines, currency = "EUR" }) {\n  await database.query("INSERT INTO orders (id, lines, currency) VALUES ($1, $2, $3)", [id, lines, currency]);\n}\n',
    },
  ],
  [
    ADA,
    'test: totals of three currencies',
    {
      'test/basket.test.js':
        'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "../src/basket.js";\n\ntest("rounds once", () => {\n  assert.equal(total([{ price: 0.335, count: 3 }]), 1.01);\n});\n',
    },
  ],
  [
    DANA,
    'docs: how money is counted',
    { 'docs/money.md': '# Money\n\nAmounts are whole cents. What is divided is rounded once, at the end.\n' },
  ],
  [ADA, 'chore: 1.0.0', { 'package.json': '{\n  "name": "shop",\n  "version": "1.0.0",\n  "type": "module"\n}\n' }],
];

/** Makes it in `directory`. */
export async function makeShop(directory) {
  const git = (env, ...args) =>
    run('git', ['-C', directory, '-c', 'commit.gpgsign=false', ...args], {
      env: { PATH: process.env.PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: '1', ...env },
    });
  await mkdir(directory, { recursive: true });
  await git({}, 'init', '--quiet', '--initial-branch=main');
  for (const [index, [[name, email], message, files]] of COMMITS.entries()) {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), content);
    }
    const date = `2026-11-${String(10 + index)}T09:30:00Z`;
    await git({}, 'add', '--all');
    await git(
      {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
      },
      'commit',
      '--quiet',
      '-m',
      message,
    );
  }
}
