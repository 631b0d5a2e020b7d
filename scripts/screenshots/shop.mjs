// Creates a small repository with a realistic history. The releases in the screenshots are releases of this repository.
// Its commits are the same on every machine.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ADA = ['Ada Lindqvist', 'ada@shop.example'];
const DANA = ['Dana Brandt', 'dana@shop.example'];

/** Commits, oldest first: author, message, and the new contents of the changed files. */
const COMMITS = [
  [
    ADA,
    'feat: add a basket with lines',
    {
      'README.md': '# Shop\n\nBaskets, orders and invoices.\n',
      'src/basket.js':
        'export function total(lines) {\n  return lines.reduce((sum, { price, count }) => sum + price * count, 0);\n}\n',
    },
  ],
  [
    DANA,
    'feat: add discount codes',
    {
      'src/discount.js':
        'const CODES = new Map([["WELCOME", 10], ["STAFF", 30]]);\n\nexport function getDiscount(code) {\n  return CODES.get(code) ?? 0;\n}\n',
    },
  ],
  [
    ADA,
    'fix: round totals only once',
    {
      'src/round.js':
        '/** Rounds to whole cents; see docs/money.md. */\nexport const round = (amount) => Math.round(amount * 100) / 100;\n',
      'src/basket.js':
        'import { round } from "./round.js";\n\nexport function total(lines) {\n  return round(lines.reduce((sum, { price, count }) => sum + price * count, 0));\n}\n',
    },
  ],
  [
    DANA,
    'feat: store the currency of orders',
    {
      'migrations/004-currency.sql': "ALTER TABLE orders ADD COLUMN currency char(3) NOT NULL DEFAULT 'EUR';\n",
      'src/order.js':
        'export async function store(database, { id, lines, currency = "EUR" }) {\n  await database.query("INSERT INTO orders (id, lines, currency) VALUES ($1, $2, $3)", [id, lines, currency]);\n}\n',
    },
  ],
  [
    ADA,
    'test: check that totals are rounded once',
    {
      'test/basket.test.js':
        'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "../src/basket.js";\n\ntest("rounds once", () => {\n  assert.equal(total([{ price: 0.335, count: 3 }]), 1.01);\n});\n',
    },
  ],
  [
    DANA,
    'docs: describe how amounts are rounded',
    { 'docs/money.md': '# Money\n\nAmounts are in whole cents. Round a result once, at the end.\n' },
  ],
  [
    ADA,
    'chore: release 1.0.0',
    { 'package.json': '{\n  "name": "shop",\n  "version": "1.0.0",\n  "type": "module"\n}\n' },
  ],
];

/** Creates the repository in a directory. */
export async function createShopRepository(directory) {
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
