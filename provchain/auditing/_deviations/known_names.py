"""Names that mean the same everywhere in the field: words of plans that are no names, model families, measures.

General knowledge, not of any one study: it only says how a thing that a plan names may be written in code.
"""

from __future__ import annotations

import re

__all__ = ["ACRONYMS", "GENERIC_PARTS", "MEASURES", "MODELS", "PEOPLE", "PEOPLE_IN_CODE", "SHORT_FORMS"]

ACRONYMS = frozenset(
    """
    ai api apis asr auc auroc avg bce ce ci cli cnn cnns cpu cpus csv cuda dag dl dnn dpo dsl e2e erm fl fm fms foundationmodel
    gan gans gnn gnns gpu gpus gui html http id iid in-distribution iot ir json kg kl kv llm llms lm lms lora lstm lstms mc
    mcmc mdp mdps ml mle mllm mlp mlps mse nas ner nlg nlp nlu nn ood oom out-of-distribution out-of-domain pca pdf peft pos ppo
    prs qa ram rag rest rl rlhf rnn rnns ros sdk sft sgd smt sota sql ssl svd svm svms tpu tpus ui uq url us usa ux vae vaes
    vlm vlms vqa vram xai xml yaml multi-modal multi-task few-shot zero-shot zero-day real-time open-source
    github gitlab huggingface kaggle pytorch tensorflow torchvision openml arxiv javascript typescript python3 leetcode nvidia
    openai deepmind wikimedia mturk neurips iclr icml cvpr acl emnlp naacl aaai ieee acm tmlr jmlr miccai
    a100 h100 v100 rtx mit apache adamw adam rmsprop relu gelu softmax iso unix posix wandb mlflow docker fastapi
    """.split()  # noqa: SIM905
)
"""Words written like names that name no data set and no method: fields, techniques, hardware, platforms, venues."""

MODELS: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in (
        ("DistilBERT", r"\bDistil-?BERT\b"),
        ("RoBERTa", r"\b(?:XLM-)?RoBERTa(?!\w)"),
        ("DeBERTa", r"\bDeBERTa(?!\w)"),
        ("ALBERT", r"\bALBERT\b"),
        ("BERT", r"(?<![\w-])BERT(?:-(?:base|large))?(?![\w]|Score)"),
        ("GPT-2", r"\bGPT-?2\b"),
        ("GPT-3.5", r"\bGPT-?3\.5\b"),
        ("GPT-4", r"\bGPT-?4(?:o|\b)"),
        ("LLaMA", r"\bL[Ll]a[Mm][Aa]\b"),
        ("CodeLlama", r"\bCode-?\s?L[Ll]a[Mm][Aa]\b"),
        ("Mistral", r"\bMistral\b"),
        ("Mixtral", r"\bMixtral\b"),
        ("Qwen", r"\bQwen\b"),
        ("Gemma", r"\bGemma\b"),
        ("Falcon", r"\bFalcon-?\d+B\b"),
        ("DeepSeek", r"\bDeep[Ss]eek\b"),
        ("StarCoder", r"\bStar[Cc]oder\d?\b"),
        ("CodeGen", r"\bCodeGen\d?\b"),
        ("CodeT5", r"\bCodeT5\b"),
        ("CodeBERT", r"\b(?:Graph)?CodeBERT\b"),
        ("T5", r"(?<![\w-])(?:Flan-)?T5(?!\w)"),
        ("BART", r"(?<![\w-])BART\b"),
        ("PEGASUS", r"\bPEGASUS\b"),
        ("Longformer", r"\bLongformer\b"),
        ("CLIP", r"(?<![\w-])CLIP\b(?!\s?[Ss]core)"),
        ("FLAVA", r"\bFLAVA\b"),
        ("BLIP", r"\bBLIP(?:-?2)?\b"),
        ("LLaVA", r"\bLLaVA\b"),
        ("ResNet", r"\bResNet-?\d*\b"),
        ("DenseNet", r"\bDenseNet-?\d*\b"),
        ("EfficientNet", r"\bEfficientNet\b"),
        ("MobileNet", r"\bMobileNet(?:V\d)?\b"),
        ("VGG", r"\bVGG-?\d*\b"),
        ("ViT", r"\bViT\b"),
        ("Swin", r"\bSwin\b"),
        ("Whisper", r"\bWhisper\b"),
        ("wav2vec", r"\bwav2vec\b"),
        ("XGBoost", r"\bXGBoost\b"),
        ("LightGBM", r"\bLightGBM\b"),
        ("Pythia", r"\bPythia\b"),
        ("Mamba", r"\bMamba\b"),
    )
}
"""Families of models, and how a plan writes them. In code any spelling of the family counts."""

MEASURES: dict[str, tuple[re.Pattern[str], tuple[str, ...]]] = {
    name: (re.compile(pattern), tuple(spelled.split()))
    for name, pattern, spelled in (
        ("BLEU", r"\b(?:Code|Sacre)?BLEU\b", "bleu"),
        ("ROUGE", r"\bROUGE\b", "rouge"),
        ("METEOR", r"\bMETEOR\b", "meteor"),
        ("chrF", r"\b[Cc]hr[Ff]\b", "chrf"),
        ("BERTScore", r"\bBERTScore\b", "bertscore bert_score"),
        ("perplexity", r"\b[Pp]erplexity\b", "perplexity ppl"),
        ("Expected Calibration Error", r"\bExpected Calibration Error\b|\bECE\b", "ece calibration"),
        ("Brier score", r"\bBrier\b", "brier"),
        ("AUROC", r"\bAU-?ROC\b|\bROC[-‐‑ ]AUC\b", "auroc roc auc"),
        ("AUPRC", r"\bAU-?PRC?\b|\bPR-AUC\b", "auprc aupr prauc averageprecision precisionrecallcurve"),
        ("mean average precision", r"\bmAP\b", "map averageprecision"),
        ("NDCG", r"\b[Nn]DCG\b", "ndcg dcg"),
        ("MRR", r"\bMRR\b", "mrr reciprocalrank"),
        ("Kendall's tau", r"\bKendall\b", "kendall"),
        ("Spearman correlation", r"\bSpearman\b", "spearman"),
        ("Fleiss' kappa", r"\bFleiss\b", "fleiss"),
        ("Cohen's kappa", r"\bCohen['’]s\s(?:kappa|κ)", "kappa"),
        ("exact match", r"\b[Ee]xact[- ][Mm]atch\b", "exactmatch em"),
        ("pass@k", r"\b[Pp]ass@(?:k|\d+)", "pass"),
        ("FLOPs", r"\bFLOPs?\b", "flop macs"),
        ("word error rate", r"\bWER\b|\b[Ww]ord [Ee]rror [Rr]ate\b", "wer jiwer worderror"),
        ("FID", r"\bFID\b|\bFréchet Inception\b", "fid frechet"),
        ("SSIM", r"\bSSIM\b", "ssim structuralsimilarity"),
        ("PSNR", r"\bPSNR\b", "psnr"),
        ("IoU", r"\bm?IoU\b", "iou jaccard"),
        ("demographic parity", r"\b[Dd]emographic [Pp]arity\b", "parity demographic dpd dpdiff"),
        ("equalized odds", r"\b[Ee]quali[sz]ed [Oo]dds\b", "odds equali eod"),
        ("worst-group accuracy", r"\b[Ww]orst[- ][Gg]roup\b", "worst wga groupacc"),
        ("F1", r"\bF1\b", "f1 fscore fbeta classificationreport"),
        ("cyclomatic complexity", r"\b[Cc]yclomatic\b", "cyclomatic radon complexity"),
        ("test coverage", r"\b[Tt]est coverage\b", "coverage"),
        ("maintainability index", r"\b[Mm]aintainability [Ii]ndex\b", "maintainab"),
    )
}
"""Measures, how a plan writes them, and what code or output that has them cannot do without."""

SHORT_FORMS: dict[str, tuple[str, ...]] = {
    "naturalquestions": ("nq", "nqopen"),
    "wikipedia": ("wiki",),
    "penntreebank": ("ptb",),
    "movielens": ("ml100k", "ml1m", "ml20m"),
    "mscoco": ("coco",),
    "imagenet": ("ilsvrc",),
    "visualgenome": ("vg",),
    "conceptualcaptions": ("cc3m", "cc12m"),
    "leaveoneout": ("loo",),
    "kernelshap": ("shap",),
    "groupdro": ("dro",),
    "knn": ("kneighbors", "nearestneighbors"),
    "gbdt": ("gradientboosting", "xgboost", "lightgbm", "catboost"),
    "gbm": ("gradientboosting", "lightgbm"),
    "mcdropout": ("montecarlodropout",),
}
"""Other names that code has for data sets and methods, by their name without what separates words."""

PEOPLE = re.compile(
    r"\b(?:[Uu]ser [Ss]tud(?:y|ies)|[Hh]uman (?:[Ee]valuations?|subjects?|annotat\w+|raters?|judg\w+|participants?)"
    r"|[Pp]articipants?|(?:user|weekly|post|online|practitioner) surveys?|[Ii]nterviews with|[Cc]rowd-?work\w*"
    r"|[Qq]uestionnaires?|Likert|[Ss]urvey (?:of )?\d+)\b"
)
"""How a plan says that people take part."""

PEOPLE_IN_CODE = (
    "participant",
    "annotator",
    "raters",
    "survey",
    "interview",
    "questionnaire",
    "likert",
    "userstud",
    "humaneval",
    "humansubject",
    "humanrating",
    "crowdwork",
)
"""What code or output of a study with people cannot do without."""

GENERIC_PARTS = frozenset(
    """news data dataset test train full main small large base mini default simple plain text clean raw english all toy the
    classification sentiment summarization questions""".split()  # noqa: SIM905
)
"""Parts of the names of data sets and models that many of them have."""
