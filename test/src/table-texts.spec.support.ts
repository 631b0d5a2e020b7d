import pg from 'pg';

/** Returns the rows of each table of a database as one text, by the name of the table. */
export async function readTableTexts(connectionString: string): Promise<ReadonlyMap<string, string>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts = new Map<string, string>();
    for (const { name } of rows) {
      const found = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      texts.set(name, found.rows.map(({ row }) => row).join('\n'));
    }
    return texts;
  } finally {
    await client.end();
  }
}
