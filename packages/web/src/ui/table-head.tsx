import { Table } from '@mantine/core';

/** Head of a short table with the names of its columns. */
export function TableHead({ columns }: { readonly columns: readonly string[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map((column) => (
          <Table.Th key={column} scope="col">
            {column}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}
