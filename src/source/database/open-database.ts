import type { DatabaseAddress, DatabaseConnection } from './connection.ts';

/** Connects to a database by its driver, which is loaded only now. Throws DatabaseFailure. */
export async function openDatabase(address: DatabaseAddress): Promise<DatabaseConnection> {
  switch (address.driver) {
    case 'postgres': {
      const { openPostgres } = await import('./postgres.ts');
      return openPostgres(address);
    }
    case 'mysql': {
      const { openMysql } = await import('./mysql.ts');
      return openMysql(address);
    }
    case 'sqlite': {
      const { openSqlite } = await import('./sqlite.ts');
      return openSqlite(address);
    }
    default: {
      const { openByModule } = await import('./module.ts');
      return openByModule(address);
    }
  }
}
