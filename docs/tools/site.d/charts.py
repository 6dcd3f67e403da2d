"""Charts of the measurements, as SVG inside the page, in its own colors."""

import html
import re


def tables(text):
    """Tables of a Markdown page by the heading above them: a list of (heading, header cells, rows)."""
    found, heading, lines = [], "", text.split("\n")
    index = 0
    while index < len(lines):
        line = lines[index]
        if line.startswith("## "):
            heading = line[3:].strip()
        if line.startswith("|") and index + 1 < len(lines) and re.fullmatch(r"\|[\s:|-]+\|", lines[index + 1]):
            header, rows = cells(line), []
            index += 2
            while index < len(lines) and lines[index].startswith("|"):
                rows.append(cells(lines[index]))
                index += 1
            found.append((heading, header, rows))
            continue
        index += 1
    return found


def cells(line):
    return [cell.strip().replace("**", "").strip("`") for cell in line.strip().strip("|").split("|")]


def number(text):
    match = re.match(r"[-+]?[\d,]*\.?\d+", text.replace("\u2009", ""))
    return float(match[0].replace(",", "")) if match else None


def bars(title, unit, series, rows):
    """Horizontal bars: rows are (label, [a value for each series])."""
    largest = max(value for _, values in rows for value in values if value is not None)
    left, width, height, gap = 190, 420, 14, 10
    group = height * len(series) + gap
    top = 24 if len(series) > 1 else 4
    total = top + group * len(rows)
    out = [f'<figure class="chart"><figcaption>{html.escape(title)}</figcaption>'
           f'<svg viewBox="0 0 {left + width + 90} {total}" role="img" aria-label="{html.escape(title)}">']
    if len(series) > 1:
        x = left
        for index, name in enumerate(series):
            out.append(f'<rect class="s{index}" x="{x}" y="4" width="12" height="12" rx="2"/><text x="{x + 18}" y="14">{html.escape(name)}</text>')
            x += 40 + 7 * len(name)
    for row, (label, values) in enumerate(rows):
        y = top + row * group
        out.append(f'<text x="{left - 8}" y="{y + height * len(series) / 2 + 4}" text-anchor="end">{html.escape(label)}</text>')
        for index, value in enumerate(values):
            if value is None:
                continue
            length = max(1.0, value / largest * width)
            y0 = y + index * height
            text = f"{value:g}" + (f" {unit}" if unit else "")
            out.append(f'<rect class="s{index}" x="{left}" y="{y0 + 1}" width="{length:.1f}" height="{height - 2}" rx="2"/>'
                       f'<text x="{left + length + 6:.1f}" y="{y0 + height - 3}">{text}</text>')
    out.append("</svg></figure>")
    return "".join(out)


def charts(text):
    """The charts of docs/performance.md by heading, made of its own tables."""
    made = {}

    def add(heading, chart):
        made.setdefault(heading, []).append(chart)

    for heading, header, rows in tables(text):
        column = {name: index for index, name in enumerate(header)}
        if heading == "Composing alone" and "cpu ms" in column:
            one = [row for row in rows if row[column["thr"]] == "1"]
            add(heading, bars("Processor time of a 1080p frame, one thread", "ms", ["ours"],
                              [(f"{row[0]}, {row[column['format']]}", [number(row[column["cpu ms"]])]) for row in one]))
        elif heading == "Titles" and header[-1] == "ms":
            add(heading, bars("Processor time of a 1080p frame", "ms", ["ms"], [(short(row[0]), [number(row[-1])]) for row in rows]))
        elif heading == "Transitions beside xfade":
            names = ["ours", "xfade, 4:2:0", "xfade, 4:4:4"]
            add(heading, bars("Processor time of a 1080p frame, one thread", "ms", names,
                              [(row[0], [number(row[1]), number(row[2]), number(row[4])]) for row in rows]))
        elif heading == "Color beside zscale" and "zscale chain" in column:
            add(heading, bars("Processor time of a frame, one thread", "ms", ["ours", "zscale chain"],
                              [(short(f"{row[0]} {row[1]}"), [number(row[2]), number(row[3])]) for row in rows]))
        elif heading == "From files to a file":
            add(heading, bars("Wall time, 300 frames of W2", "s", ["s"], [(short(row[0]), [number(row[1])]) for row in rows]))
    return made


def short(text):
    text = text.replace("`", "")
    return text if len(text) <= 30 else text[:28].rsplit(" ", 1)[0] + " …"
