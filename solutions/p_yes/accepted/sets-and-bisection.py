"""Plain Python: groups of ids are sets, the temperature is found by bisection and Platt's two by Newton's method."""

import math

from contract import assessment, calibration, fit, found_as, marking, outcome, reading, status, tokens

NAN, INFINITY = math.nan, math.inf


def log_sum_exp(x):
    largest = max(x, default=-INFINITY)
    if largest == -INFINITY:
        return largest
    return largest + math.log(sum(math.exp(one - largest) for one in x))


def sigmoid(z):
    return math.exp(z) / (1 + math.exp(z)) if z < 0 else 1 / (1 + math.exp(-z))


def score(logits, yes, no, log_yes, log_no, p, mass):
    for b, row in enumerate(logits):
        row = row.tolist()
        normaliser = log_sum_exp(row)
        of_yes = log_sum_exp([row[i] for i in yes]) - normaliser
        of_no = log_sum_exp([row[i] for i in no]) - normaliser
        log_yes[b], log_no[b] = of_yes, of_no
        p[b] = sigmoid(of_yes - of_no)
        mass[b] = math.exp(of_yes) + math.exp(of_no)


score_f16 = score


def checked(logits, yes, no):
    yes, no, row = set(yes), set(no), logits.tolist()
    if not yes or not no:
        return reading(status.empty_group)
    if min(yes | no) < 0 or max(yes | no) >= len(row):
        return reading(status.id_out_of_range)
    if yes & no:
        return reading(status.id_in_both)
    if not all(x < INFINITY for x in row):
        return reading(status.bad_logit)
    of_yes, of_no = log_sum_exp([row[i] for i in yes]), log_sum_exp([row[i] for i in no])
    if of_yes == of_no == -INFINITY:
        return reading(status.no_mass)
    normaliser = log_sum_exp(row)
    log_yes, log_no = of_yes - normaliser, of_no - normaliser
    return reading(status.ok, log_yes, log_no, sigmoid(of_yes - of_no), math.exp(log_yes) + math.exp(log_no))


def lower(text):
    return [c + 32 if 65 <= c <= 90 else c for c in text]


def find(pieces, label, mark):
    """Which pieces stand for the label, and as what."""
    wanted = lower(label)
    ids = {i for i, piece in enumerate(pieces) if lower(piece[1:] if piece[:1] == [mark] else piece) == wanted}
    if ids:
        return ids, found_as.spelling
    for form, least in ((label, 0), ([mark] + label, 1)):
        longest = max((len(piece) for piece in pieces if form[: len(piece)] == piece), default=0)
        if longest > least:
            ids |= {i for i, piece in enumerate(pieces) if piece == form[:longest]}
    return ids, found_as.first_token if ids else found_as.nothing


def label_tokens(marks, pieces, yes, no, yes_ids, no_ids):
    yes_ids[...] = False
    no_ids[...] = False
    yes, no = yes.tolist(), no.tolist()
    if not yes or not no or not all(0x21 <= c <= 0x7E for c in yes + no):
        return tokens(outcome.bad_label)
    mark = 0x120 if marks == marking.gpt2 else 0x2581
    texts = [piece[: piece.index(0)] if 0 in piece else piece for piece in pieces.tolist()]
    of_yes, yes_as = find(texts, yes, mark)
    of_no, no_as = find(texts, no, mark)
    for i in of_yes:
        yes_ids[i] = True
    for i in of_no:
        no_ids[i] = True
    both = min(of_yes & of_no, default=-1)
    state = outcome.collision if both >= 0 else outcome.ok
    if not of_yes or not of_no:
        state = outcome.no_token
    return tokens(state, yes_as, no_as, len(of_yes), len(of_no), both)


def softplus(x):
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def mean_loss(examples, slope, intercept):
    total = math.fsum(w for _, w, _ in examples)
    losses = (w * softplus(-(slope * z + intercept) if y else slope * z + intercept) for z, w, y in examples)
    return math.fsum(losses) / total


def fit_temperature(examples, c):
    def derivative(beta):
        return math.fsum(w * z * (sigmoid(beta * z) - y) for z, w, y in examples)

    if all(z == 0 for z, _, _ in examples):
        c.temperature_state, c.temperature, c.temperature_loss = fit.constant, 1, math.log(2)
    elif all(z >= 0 if y else z <= 0 for z, _, y in examples):
        zero = math.fsum(w for z, w, _ in examples if z == 0) / math.fsum(w for _, w, _ in examples)
        c.temperature_state, c.temperature, c.temperature_loss = fit.separable, 0, zero * math.log(2)
    elif derivative(0) >= 0:
        c.temperature_state, c.temperature, c.temperature_loss = fit.uninformative, INFINITY, math.log(2)
    else:
        low, high = 0.0, 1.0
        while derivative(high) < 0:
            high *= 2
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if derivative(middle) < 0 else (low, middle)
        c.temperature_state, c.temperature, c.temperature_loss = fit.ok, 1 / high, mean_loss(examples, high, 0)


def fit_platt(examples, c):
    a = b = 0.0
    loss = mean_loss(examples, a, b)
    for _ in range(100):
        ga = gb = haa = hab = hbb = 0.0
        for z, w, y in examples:
            p = sigmoid(a * z + b)
            curve = w * p * sigmoid(-(a * z + b))
            ga += w * (p - y) * z
            gb += w * (p - y)
            haa += curve * z * z
            hab += curve * z
            hbb += curve
        det = haa * hbb - hab * hab
        if det == 0:
            break
        da, db = (hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det
        following = mean_loss(examples, a - da, b - db)
        for _ in range(40):
            if following < loss:
                break
            da, db = da / 2, db / 2
            following = mean_loss(examples, a - da, b - db)
        if not following < loss:
            break
        a, b, loss = a - da, b - db, following
    c.slope, c.intercept, c.platt_loss = a, b, loss


def calibrate(scores, labels, weights):
    given = list(zip(scores, weights, labels))
    if not all(math.isfinite(z) and math.isfinite(w) and w >= 0 for z, w, _ in given):
        return calibration()
    examples = [one for one in given if one[1] > 0]
    if not examples:
        return calibration()
    c = calibration(raw_loss=mean_loss(examples, 1, 0))
    fit_temperature(examples, c)
    of_yes, of_no = ([z for z, _, y in examples if y == wanted] for wanted in (True, False))
    if not of_yes or not of_no:
        c.platt_state = fit.one_class
    elif min(of_yes + of_no) == max(of_yes + of_no):
        weight = [math.fsum(w for _, w, y in examples if y == wanted) for wanted in (True, False)]
        c.platt_state, c.slope, c.intercept = fit.constant, 0, math.log(weight[0] / weight[1])
        c.platt_loss = mean_loss(examples, 0, c.intercept)
    elif min(of_yes) >= max(of_no) or min(of_no) >= max(of_yes):
        c.platt_state = fit.separable
    else:
        c.platt_state = fit.ok
        fit_platt(examples, c)
    return c


def assess(p, labels, weights, bins, cost_false_yes, cost_false_no, bin_weight, bin_p, bin_yes):
    examples = list(zip(p, labels, weights))
    total = sum(weights)
    good = bins >= 1 and all(math.isfinite(cost) and cost > 0 for cost in (cost_false_yes, cost_false_no))
    good = good and all(0 <= x <= 1 and math.isfinite(w) and w >= 0 for x, _, w in examples) and total > 0
    sums = [[0.0 if good else NAN] * 3 for _ in range(max(bins, 0))]
    a = assessment()
    if good:
        a = assessment(0, cost_false_yes / (cost_false_yes + cost_false_no), 0, 0)
        for x, label, weight in examples:
            w = weight / total
            row = sums[max(math.ceil(x * bins) - 1, 0)]
            row[0] += w
            row[1] += w * x
            row[2] += w if label else 0
            if x >= a.threshold:
                a.yes_share += w
                a.cost += 0 if label else w * cost_false_yes
            else:
                a.cost += w * cost_false_no if label else 0
        for row in sums:
            if row[0]:
                row[1:] = [row[1] / row[0], row[2] / row[0]]
                a.ece += row[0] * abs(row[2] - row[1])
    for m, row in enumerate(sums):
        bin_weight[m], bin_p[m], bin_yes[m] = row
    return a
