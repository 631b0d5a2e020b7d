import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import type { Pages } from '@countersign/inbox-ui/ui/use-pages';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { useState, type ReactNode } from 'react';

interface PagedTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly pages: Pages<T>;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
  getKey(item: T): string;
  onOpen(item: T): void;
  isSelected(item: T): boolean;
}

/** Shows an API list as a table, with placeholders for loading, failed and empty lists. */
export function PagedTable<T>({ pages: { items, query, loadMore }, empty, ...table }: PagedTableProps<T>) {
  const [current, setCurrent] = useState(0);
  return (
    <>
      {query.isPending && <Loading />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && items.length === 0 && empty}
      {items.length > 0 && (
        <VirtualTable
          {...table}
          items={items}
          hasMore={query.hasNextPage}
          loadingMore={query.isFetchingNextPage}
          onLoadMore={loadMore}
          current={current}
          onCurrent={setCurrent}
        />
      )}
    </>
  );
}
