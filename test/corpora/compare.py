"""Compares cells with those that openpyxl reads, and prints a table: compare.py FOLDER CELLS SHOW."""
import datetime
import json
import os
import re
import sys
import warnings
from collections import Counter

import openpyxl
from openpyxl.cell.cell import MergedCell

warnings.simplefilter("ignore")
folder, cells, show = sys.argv[1], sys.argv[2], int(sys.argv[3])
count = Counter()
reasons = Counter()
shown = 0


def number(value):
    text = format(float(value), ".15g") if isinstance(value, float) else str(value)
    if "e" in text:
        text = format(float(text), ".340f").rstrip("0").rstrip(".") if float(text) < 1 else str(int(float(text)))
    return text


def fits(text, value):
    """Whether the text is the value, in one of the forms that a cell of its type may have."""
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if isinstance(value, (int, float)):
        try:
            return abs(float(text) - float(value)) <= 1e-14 * max(1.0, abs(float(value)))
        except ValueError:
            return re.sub(r"\D", "", text).endswith(re.sub(r"\D", "", number(value)))
    if isinstance(value, datetime.datetime):
        found = re.match(r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(\.\d+)?)?$", text)
        if found is None:
            return False
        own = datetime.datetime.fromisoformat(found[1] + "T" + (found[2] or "00:00:00"))
        own += datetime.timedelta(seconds=float(found[3] or 0))
        return abs((own - value).total_seconds()) <= 0.5
    if isinstance(value, datetime.date):
        return text[:10] == value.isoformat()
    if isinstance(value, (datetime.time, datetime.timedelta)):
        found = re.match(r"(\d+):(\d\d):(\d\d)(\.\d+)?$", text)
        if found is None:
            return False
        own = int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3]) + float(found[4] or 0)
        if isinstance(value, datetime.time):
            value = datetime.timedelta(
                hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond
            )
        return abs(own - value.total_seconds()) <= 0.5
    # The other reader leaves the escapes of characters that XML does not have.
    plain = re.sub(r"_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), str(value))
    return text in (plain, str(value))


for line in open(cells, encoding="utf-8"):
    own = json.loads(line)
    count["files"] += 1
    if "bug" in own:
        count["files without an answer"] += 1
        print("NO ANSWER", own["file"], own["bug"])
        continue
    if "refused" in own:
        count["files refused"] += 1
        reasons[own["refused"]] += 1
        try:
            openpyxl.load_workbook(os.path.join(folder, own["file"]), data_only=True)
            count["files refused that the other reads"] += 1
            print("REFUSED", own["file"], own["refused"], own.get("detail", ""))
        except Exception:
            pass
        continue
    try:
        book = openpyxl.load_workbook(os.path.join(folder, own["file"]), data_only=True)
    except Exception as error:
        count["files that only the tool reads"] += 1
        continue
    for sheet in book.worksheets:
        # Not by rows: a sheet may claim a million rows of sixteen thousand cells.
        for cell in list(sheet._cells.values()):
            value = cell.value
            text = own["cells"].pop(f"{sheet.title}!{cell.coordinate}", None)
            if value is None and (text is None or isinstance(text, dict) or text == ""):
                continue
            count["cells"] += 1
            if value == "" and text is None:
                # An empty text is an empty cell.
                count["exact"] += 1
                continue
            if isinstance(cell, MergedCell) and isinstance(text, str):
                # The other reader has no value for a cell that another one covers, whatever the file has.
                count["left out by the other"] += 1
                continue
            if isinstance(text, dict):
                count["named"] += 1
                reasons[text["code"]] += 1
            elif text is not None and value is not None and fits(text, value):
                count["exact"] += 1
            else:
                count["different"] += 1
                if shown < show:
                    shown += 1
                    print("DIFFERENT", own["file"], sheet.title, cell.coordinate, repr(text), repr(value), cell.number_format)

for name, total in count.items():
    print(f"{total:>9,}  {name}")
for name, total in reasons.most_common():
    print(f"{total:>9,}  {name}")
