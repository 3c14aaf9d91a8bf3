"""Writes tables of texts with a library of Python: write.py WRITER, with the names of files and their rows as JSON in standard input."""
import csv
import io
import json
import sqlite3
import sys


def csv_file(file, rows):
    with open(file, 'w', newline='', encoding='utf-8') as out:
        csv.writer(out).writerows(rows)


def json_file(file, rows):
    header, *rest = rows
    with open(file, 'w', encoding='utf-8') as out:
        json.dump([dict(zip(header, row)) for row in rest], out)


def ndjson_file(file, rows):
    header, *rest = rows
    with open(file, 'w', encoding='utf-8') as out:
        for row in rest:
            out.write(json.dumps(dict(zip(header, row)), ensure_ascii=False) + '\n')


def sqlite_file(file, rows):
    header, *rest = rows
    with sqlite3.connect(file) as database:
        database.execute(f'CREATE TABLE rows ({", ".join(name + " TEXT" for name in header)})')
        database.executemany(f'INSERT INTO rows VALUES ({", ".join("?" for _ in header)})', rest)


def openpyxl_file(file, rows):
    import openpyxl

    book = openpyxl.Workbook()
    for at, row in enumerate(rows, 1):
        for column, text in enumerate(row, 1):
            cell = book.active.cell(at, column)
            cell.value = text
            # A text that begins with = is no formula here.
            cell.data_type = 's'
    book.save(file)


def xlsxwriter_file(file, rows):
    import xlsxwriter

    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet('Sheet')
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                sheet.write_string(at, column, text)


def pyarrow_file(file, rows):
    import pyarrow
    import pyarrow.parquet

    header, *rest = rows
    columns = {name: [row[at] for row in rest] for at, name in enumerate(header)}
    pyarrow.parquet.write_table(pyarrow.table(columns), file)


def duckdb_file(file, rows):
    import duckdb

    header, *rest = rows
    database = duckdb.connect()
    database.execute(f'CREATE TABLE rows ({", ".join(name + " VARCHAR" for name in header)})')
    database.executemany(f'INSERT INTO rows VALUES ({", ".join("?" for _ in header)})', rest)
    database.execute(f"COPY rows TO '{file}' (FORMAT parquet)")


writers = {
    'csv': csv_file,
    'json': json_file,
    'ndjson': ndjson_file,
    'sqlite3': sqlite_file,
    'openpyxl': openpyxl_file,
    'xlsxwriter': xlsxwriter_file,
    'pyarrow': pyarrow_file,
    'duckdb': duckdb_file,
}

sys.stdin = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8')
for file, rows in json.load(sys.stdin).items():
    writers[sys.argv[1]](file, rows)
